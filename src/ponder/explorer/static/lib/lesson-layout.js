// Where the nodes of a small tree stand: leaves at equal distances, parents in the middle above their children.
// Downwards where there is room for all leaves side by side, else to the right.

export const SIZE = 19; // from the middle of a node to its edge
const LEAST = 42; // pixels for a leaf, downwards
const ROW = 42; // for a leaf, to the right
const LEVEL = 104; // between two levels, downwards
const MOST_LEVEL = 150;

export const SHAPES = {
  max: `M0 ${-SIZE - 2} ${SIZE + 3} ${SIZE - 3}H${-SIZE - 3}Z`,
  min: `M0 ${SIZE + 2} ${SIZE + 3} ${-SIZE + 3}H${-SIZE - 3}Z`,
  chance: `M${-SIZE} 0a${SIZE} ${SIZE} 0 1 0 ${2 * SIZE} 0a${SIZE} ${SIZE} 0 1 0 ${-2 * SIZE} 0Z`,
  player: `M${SIZE} 0 ${SIZE / 2} ${0.87 * SIZE}H${-SIZE / 2}L${-SIZE} 0 ${-SIZE / 2} ${-0.87 * SIZE}H${SIZE / 2}Z`,
};

/**
 * @param {{path: string[], form: string}[]} nodes parents before children
 * @param {number} wide pixels that there are
 * @param {number} cells utilities of a leaf
 */
export function arranged(nodes, wide, cells, guesses) {
  const children = new Map(nodes.map((one) => [one.path.join(" "), []]));
  for (const one of nodes) if (one.path.length) children.get(one.path.slice(0, -1).join(" ")).push(one);
  const across = new Map(), order = [];
  let leaves = 0, deepest = 0, count = 0;
  const index = new Map(nodes.map((one, i) => [one, i]));
  const place = (node) => {
    order[index.get(node)] = count++;
    deepest = Math.max(deepest, node.path.length);
    const below = children.get(node.path.join(" ")).map(place);
    const at = below.length ? (below[0] + below[below.length - 1]) / 2 : leaves++ + 0.5;
    across.set(node.path.join(" "), at);
    return at;
  };
  place(nodes[0]);
  const down = wide / leaves >= LEAST;
  const high = cells > 1 ? 24 * cells : 30, places = new Map();
  if (down) {
    const unit = Math.min(wide / leaves, 130), left = (wide - unit * leaves) / 2;
    for (const one of nodes) places.set(one.path.join(" "), { x: left + unit * across.get(one.path.join(" ")), y: 30 + LEVEL * one.path.length });
    return { places, order, down, width: wide, height: 30 + LEVEL * deepest + high + 4 };
  }
  const tail = cells > 1 ? 30 * cells : 36, level = Math.min(MOST_LEVEL, (wide - 2 * SIZE - tail - 16) / Math.max(1, deepest));
  const row = guesses ? ROW + 8 : ROW;
  for (const one of nodes) places.set(one.path.join(" "), { x: SIZE + 8 + level * one.path.length + (one.form === "leaf" ? 14 : 0), y: row * across.get(one.path.join(" ")) + 14 });
  return { places, order, down, width: wide, height: row * leaves + 40 };
}
