// A game looked at again: what every position was worth, and which moves gave something away.
import { MISTAKE } from "./play-game.js";
import { JUDGE } from "./play-choices.js";

const EFFORT = { seconds: 0.6, simulations: 1500 };
const WORSE = 0.2, WORST = 0.35;

/**
 * @typedef {{ply: number, player: number, name: string, loss: number, best: string, mark: string}} Mistake
 * @typedef {{values: (number[]|null)[], mistakes: Mistake[], done: number, of?: string}} Analysis of: the moves judged; values[i]: after i moves, one per player
 */

/**
 * Judge every position of a game; what is known already (the same moves) is kept.
 * @param {import("./play-game.js").Game} game
 * @param {(analysis: Analysis) => void} told after every position
 */
export async function analyse(game, told) {
  const { moves, movers, range, over, returns } = game.live, found = [], values = [];
  for (let ply = 0; ply <= moves.length; ply++) {
    if (ply === moves.length && over) {
      values.push(returns);
    } else {
      found[ply] = await game.thinking.ask("analysis", { ...game.position(moves.slice(0, ply)), engine: JUDGE, seed: 1, ...EFFORT });
      values.push(found[ply].values);
    }
    told({ values, mistakes: mistakesOf(moves, movers, found, values, range), done: ply / Math.max(1, moves.length) });
  }
}

/** @returns {Mistake[]} */
function mistakesOf(moves, movers, found, values, range) {
  const made = [], whole = range[1] - range[0];
  for (let ply = 0; ply + 1 < values.length; ply++) {
    const player = movers[ply];
    if (player < 0 || found[ply].best === moves[ply]) continue;
    const loss = values[ply][player] - values[ply + 1][player], part = loss / whole;
    if (part <= MISTAKE) continue;
    made.push({ ply, player, name: moves[ply], loss, best: found[ply].best, mark: part > WORST ? "??" : part > WORSE ? "?" : "?!" });
  }
  return made;
}
