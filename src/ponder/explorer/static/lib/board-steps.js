// The steps of an action on a board: which piece comes from where and goes where. Pure, no drawing.
//
// An action of several pieces (a turn of backgammon) has a pair of places for each. Its steps may be taken in any order,
// but for one that begins where an earlier one ends: that piece has to arrive first. A piece that goes on may also be
// taken to the end of its way at once.

/** @typedef {number[]} Place x, y, radius */
/** @typedef {[Place, Place]} Step */

export const keyOf = (/** @type {Place} */ [x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;

const follows = (/** @type {Step} */ later, /** @type {Step} */ earlier) => keyOf(later[0]) === keyOf(earlier[1]);
const same = (/** @type {Step} */ a, /** @type {Step} */ b) => keyOf(a[0]) === keyOf(b[0]) && keyOf(a[1]) === keyOf(b[1]);

/** The steps of an action; none where a stone is only put. */
export function stepsOf(/** @type {Place[]} */ places) {
  /** @type {Step[]} */
  const steps = [];
  for (let i = 1; i < places.length; i += 2) steps.push([places[i - 1], places[i]]);
  return steps;
}

/** Both steps of a piece that goes on, as one; null if it is not so. */
function wholeWay(/** @type {Step[]} */ steps) {
  return steps.length === 2 && follows(steps[1], steps[0]) ? /** @type {Step} */ ([steps[0][0], steps[1][1]]) : null;
}

/** The steps of an action that are left when some were taken; null if those are no part of it. */
export function leftOf(/** @type {Place[]} */ places, /** @type {Step[]} */ taken) {
  let left = stepsOf(places);
  for (const step of taken) {
    const at = left.findIndex((one) => same(one, step)), whole = wholeWay(left);
    if (at >= 0) left.splice(at, 1);
    else if (whole && same(whole, step)) left = [];
    else return null;
  }
  return left;
}

/** Those of the steps that can be taken next. */
export function openSteps(/** @type {Step[]} */ left) {
  const open = left.filter((step, i) => !left.slice(0, i).some((earlier) => follows(step, earlier))), whole = wholeWay(left);
  return whole ? [...open, whole] : open;
}
