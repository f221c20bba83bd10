// Where the nodes of a small tree stand: a tidy tree, parents in the middle above their children, subtrees as close as
// what is written beside their nodes allows (as ponder/show/layout.py). Downwards where there is room, else to the right.

export const SIZE = 19; // from the middle of a node to its edge
const LEVEL = 104; // between two levels, downwards
const MOST_LEVEL = 150; // to the right
const GAP = 4;
const MOST_STRETCH = 2.2;

export const SHAPES = {
  max: `M0 ${-SIZE - 2} ${SIZE + 3} ${SIZE - 3}H${-SIZE - 3}Z`,
  min: `M0 ${SIZE + 2} ${SIZE + 3} ${-SIZE + 3}H${-SIZE - 3}Z`,
  chance: `M${-SIZE} 0a${SIZE} ${SIZE} 0 1 0 ${2 * SIZE} 0a${SIZE} ${SIZE} 0 1 0 ${-2 * SIZE} 0Z`,
  player: `M${SIZE} 0 ${SIZE / 2} ${0.87 * SIZE}H${-SIZE / 2}L${-SIZE} 0 ${-SIZE / 2} ${-0.87 * SIZE}H${SIZE / 2}Z`,
};

const keyOf = (node) => node.path.join(" ");

/** Room that a node takes before and after its middle, across the tree. */
function room(node, down, windows) {
  if (node.form === "leaf") return down ? [18, 18] : [17, 17];
  if (down) return [SIZE + 5 + (node.estimate != null ? 28 : node.mark ? 46 : 0), SIZE + 9 + (node.mark ? 74 : windows ? 50 : 30)];
  return [SIZE + 22, SIZE + (node.estimate != null ? 30 : windows || node.mark ? 18 : 4)];
}

/** Places across the tree, from 0; and how wide it is. */
function tidy(nodes, children, down, windows) {
  const offset = new Map([[keyOf(nodes[0]), 0]]), outlines = new Map();
  for (const node of nodes.slice().reverse()) { // children before parents
    const own = room(node, down, windows), whole = [], at = [];
    for (const child of children.get(keyOf(node))) {
      const below = outlines.get(keyOf(child));
      let shift = 0;
      below.forEach(([left], i) => { if (whole[i]) shift = Math.max(shift, whole[i][1] + GAP - left); });
      at.push(shift);
      below.forEach(([left, right], i) => {
        whole[i] = whole[i] ? [Math.min(whole[i][0], left + shift), Math.max(whole[i][1], right + shift)] : [left + shift, right + shift];
      });
    }
    const middle = at.length ? (at[0] + at[at.length - 1]) / 2 : 0;
    children.get(keyOf(node)).forEach((child, i) => offset.set(keyOf(child), at[i] - middle));
    outlines.set(keyOf(node), [[-own[0], own[1]], ...whole.map(([left, right]) => [left - middle, right - middle])]);
  }
  const outline = outlines.get(keyOf(nodes[0])), least = Math.min(...outline.map(([left]) => left)), most = Math.max(...outline.map(([, right]) => right));
  const across = new Map([[keyOf(nodes[0]), -least]]);
  for (const node of nodes.slice(1)) across.set(keyOf(node), across.get(node.path.slice(0, -1).join(" ")) + offset.get(keyOf(node)));
  return { across, wide: most - least };
}

/**
 * @param {any[]} nodes parents before children, as the answer to "lesson" has them
 * @param {number} wide pixels that there are
 * @param {boolean} windows is there a window beside each node?
 */
export function arranged(nodes, wide, windows) {
  const cells = Math.max(1, ...nodes.map((one) => one.values?.length ?? 1));
  const deepest = Math.max(...nodes.map((one) => one.path.length));
  const children = new Map(nodes.map((one) => [keyOf(one), []]));
  for (const one of nodes) if (one.path.length) children.get(one.path.slice(0, -1).join(" ")).push(one);
  const order = new Map(), visit = (node) => { order.set(keyOf(node), order.size); children.get(keyOf(node)).forEach(visit); };
  visit(nodes[0]);
  const places = new Map();
  let found = tidy(nodes, children, true, windows);
  const down = found.wide <= wide;
  if (down) {
    const stretch = Math.min(MOST_STRETCH, wide / found.wide), left = (wide - stretch * found.wide) / 2;
    for (const one of nodes) places.set(keyOf(one), { x: left + stretch * found.across.get(keyOf(one)), y: 30 + LEVEL * one.path.length });
    return { places, order, down, width: wide, height: 34 + LEVEL * deepest + (cells > 1 ? 24 * cells : 18) };
  }
  found = tidy(nodes, children, false, windows);
  const tail = cells > 1 ? 30 * cells : 36, level = Math.min(MOST_LEVEL, (wide - 2 * SIZE - tail - 16) / Math.max(1, deepest));
  for (const one of nodes) places.set(keyOf(one), { x: SIZE + 8 + level * one.path.length + (one.form === "leaf" ? 14 : 0), y: found.across.get(keyOf(one)) + 8 });
  return { places, order, down, width: wide, height: found.wide + 16 };
}
