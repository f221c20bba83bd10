// Where the nodes of a search tree stand: pure arithmetic, no drawing.
//
// Every node owns an interval, and shares it out among its children: in the order of their actions, by the square
// root of their visits. So nodes keep their order and drift instead of jumping while the tree grows, and whatever
// is narrower than a pixel need not be drawn, nor anything below it: 20,000 nodes cost no more than the screen is wide.

/** @typedef {Record<string, any>} Columns of an update: see frames.py */

export class TreeLayout {
  constructor() {
    this.size = 0;
    this.deepest = 0;
    /** Children of row i: list[begin[i]] .. list[begin[i + 1]]. */
    this.begin = new Int32Array(1);
    this.list = new Int32Array(0);
    /** Of each row, as parts of its parent's interval: where it belongs, and where it is shown. */
    this.start = this.width = this.shownStart = this.shownWidth = new Float64Array(0);
    this.moving = false;
    /** @type {Columns} */
    this.columns = {};
    /** @type {Map<number, number>} row of a node by its number in the search's tree */
    this.rows = new Map();
  }

  /** Take the next update. Nodes that were there before start from where they stood. */
  take(/** @type {Columns} */ columns) {
    const size = columns.parent?.length ?? 0, { parent, action, visits, node } = columns;
    const begin = new Int32Array(size + 1), list = new Int32Array(Math.max(0, size - 1));
    for (let i = 1; i < size; i++) begin[parent[i] + 1]++;
    for (let i = 0; i < size; i++) begin[i + 1] += begin[i];
    const next = begin.slice();
    for (let i = 1; i < size; i++) list[next[parent[i]]++] = i;
    const start = new Float64Array(size), width = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      const from = begin[i], to = begin[i + 1];
      for (let k = from + 1; k < to; k++) { // few and nearly sorted
        const one = list[k];
        let j = k;
        while (j > from && action[list[j - 1]] > action[one]) { list[j] = list[j - 1]; j--; }
        list[j] = one;
      }
      let sum = 0;
      for (let k = from; k < to; k++) sum += Math.sqrt(visits[list[k]]);
      let at = 0;
      for (let k = from; k < to; k++) {
        const share = sum ? Math.sqrt(visits[list[k]]) / sum : 1 / (to - from);
        start[list[k]] = at;
        width[list[k]] = share;
        at += share;
      }
    }
    const rows = new Map(), shownStart = start.slice(), shownWidth = new Float64Array(size);
    let moving = false;
    for (let i = 0; i < size; i++) {
      const before = this.rows.get(node[i]);
      if (before !== undefined && this.columns.action[before] === action[i]) {
        shownStart[i] = this.shownStart[before];
        shownWidth[i] = this.shownWidth[before];
      }
      moving ||= shownWidth[i] !== width[i];
      rows.set(node[i], i);
    }
    Object.assign(this, { size, columns, begin, list, start, width, shownStart, shownWidth, rows, moving });
    this.deepest = 0;
    for (let i = 0; i < size; i++) this.deepest = Math.max(this.deepest, columns.depth[i]);
    if (size) { shownStart[0] = 0; shownWidth[0] = 1; width[0] = 1; }
  }

  /** Let the nodes drift to their places for a while; is anything still on its way? */
  drift(/** @type {number} */ milliseconds) {
    if (!this.moving) return false;
    const part = 1 - Math.exp(-milliseconds / 90);
    let most = 0;
    for (let i = 1; i < this.size; i++) {
      const a = this.start[i] - this.shownStart[i], b = this.width[i] - this.shownWidth[i];
      this.shownStart[i] += part * a;
      this.shownWidth[i] += part * b;
      most = Math.max(most, Math.abs(a), Math.abs(b));
    }
    if (most < 1e-3) this.arrive();
    return this.moving;
  }

  /** Put every node to its place at once. */
  arrive() {
    this.shownStart.set(this.start);
    this.shownWidth.set(this.width);
    this.moving = false;
  }

  /** Rows of a node's children, in the order of their actions. */
  children(/** @type {number} */ row) {
    return this.size ? this.list.subarray(this.begin[row], this.begin[row + 1]) : new Int32Array(0);
  }

  /** The child with the most visits; -1 without children. */
  favourite(/** @type {number} */ row) {
    let best = -1;
    for (const child of this.children(row)) {
      if (best < 0 || this.columns.visits[child] > this.columns.visits[best]) best = child;
    }
    return best;
  }

  /** The row that actions lead to from the root; -1 where the update does not show it. */
  find(/** @type {number[]} */ path) {
    let row = this.size ? 0 : -1;
    for (const action of path) {
      if (row < 0) return -1;
      row = this.children(row).find((child) => this.columns.action[child] === action) ?? -1;
    }
    return row;
  }

  /** The actions that lead to a row. */
  path(/** @type {number} */ row) {
    const made = [];
    for (; row > 0; row = this.columns.parent[row]) made.push(this.columns.action[row]);
    return made.reverse();
  }

  /** Where a row's interval begins and how wide it is, as parts of the whole, when all have arrived. */
  interval(/** @type {number} */ row) {
    let at = 0, wide = 1;
    const way = [];
    for (; row > 0; row = this.columns.parent[row]) way.push(row);
    for (const one of way.reverse()) {
      at += wide * this.start[one];
      wide *= this.width[one];
    }
    return [at, wide];
  }

  /** Does chance decide what follows a row? */
  isChance(/** @type {number} */ row) {
    const children = this.children(row);
    return children.length > 0 && this.columns.player[children[0]] < 0;
  }

  /** Is the value of a row proven? */
  isProven(/** @type {number} */ row) {
    const { low, high } = this.columns;
    return low[row] === high[row] && !Number.isNaN(low[row]);
  }
}
