// A game in the address: what is played, who sits where, the seed of the dice, and all moves.
//
//   /play#game=connect4&seats=you|mcts(simulations=100)&seed=7&moves=4|4|3

import { numberOr } from "./address.js";

/**
 * @typedef {{game: string, position: string, seats: string[], seed: number, moves: string[],
 *   clock: string, teach: boolean, end: string}} Setup
 *   seats: "you" or an engine's SPEC; position: where it began, empty for the start;
 *   clock: "" or minutes+seconds; end: "" or how and by whom it was ended, resign:0 or time:1
 */

/** @returns {Setup|null} the game in the address; null where there is none */
export function gameFromAddress(hash = location.hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const game = given.get("game");
  if (!game) return null;
  const listed = (name) => (given.get(name) ?? "").split("|").filter(Boolean);
  return {
    game, position: given.get("position") ?? "", seats: listed("seats"), moves: listed("moves"),
    seed: numberOr(given.get("seed") ?? "1"), clock: given.get("clock") ?? "",
    teach: given.get("teach") === "1", end: given.get("end") ?? "",
  };
}

/** The address of a game, as /play has it after the #. */
export function addressOfGame(/** @type {Partial<Setup>} */ setup) {
  const made = new URLSearchParams();
  made.set("game", setup.game);
  if (setup.position) made.set("position", setup.position);
  if (setup.seats?.length) made.set("seats", setup.seats.join("|"));
  if (setup.seed != null) made.set("seed", String(setup.seed));
  if (setup.clock) made.set("clock", setup.clock);
  if (setup.teach) made.set("teach", "1");
  if (setup.moves?.length) made.set("moves", setup.moves.join("|"));
  if (setup.end) made.set("end", setup.end);
  // readable where the standard allows it
  return "#" + made.toString().replace(/%28/g, "(").replace(/%29/g, ")").replace(/%3A/g, ":").replace(/%2C/g, ",")
    .replace(/%3D/g, "=").replace(/%2F/g, "/").replace(/%7C/g, "|");
}
