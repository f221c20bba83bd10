// What can be chosen for a game: games, who sits where, clocks.
import { DEFAULT_ENGINE } from "../lib/spec.js";

/** @type {{name: string, text: string}[]} text: the game, as a GAME text */
export const GAMES = [
  { name: "Tic-tac-toe", text: "tictactoe" },
  { name: "Connect Four", text: "connect4" },
  { name: "Connect Four, three players", text: "connect4(columns=8, rows=7, players=3)" },
  { name: "Chess", text: "chess" },
  { name: "Chess960", text: "chess(chess960=true)" },
  { name: "Go, 9 × 9", text: "go" },
  { name: "Go, 13 × 13", text: "go(size=13)" },
  { name: "Go, 19 × 19", text: "go(size=19)" },
  { name: "Checkers", text: "checkers" },
  { name: "Othello", text: "othello" },
  { name: "Hex, 7 × 7", text: "hex(size=7)" },
  { name: "Hex, 11 × 11", text: "hex" },
  { name: "Breakthrough", text: "breakthrough" },
  { name: "Backgammon", text: "backgammon" },
  { name: "Chinese checkers", text: "chinese_checkers" },
  { name: "Chinese checkers, three players", text: "chinese_checkers(players=3)" },
  { name: "Pig", text: "pig" },
  { name: "Pig, three players", text: "pig(players=3)" },
  { name: "Nim", text: "nim" },
  { name: "2048", text: "twenty48" },
  { name: "Falling blocks", text: "falling_blocks" },
  { name: "Pac-Man", text: "pacman" },
  { name: "Property trading", text: "property_trading" },
  { name: "Property trading, four players", text: "property_trading(players=4, turns=200)" },
  { name: "Property trading in a village", text: "property_trading(board=village, turns=40)" },
];

export const YOU = "you";
/** The engine that gives hints, judges moves and analyses games. */
export const JUDGE = DEFAULT_ENGINE;

/** @type {{name: string, text: string, says: string}[]} from very weak to strong; the first ones
 * without the networks that `strong()` has in some games */
export const LEVELS = [
  { name: "Random", text: "random()", says: "any legal move" },
  { name: "Beginner", text: "mcts(simulations=10)", says: "10 random games a move" },
  { name: "Casual", text: "mcts(simulations=100)", says: "100 random games a move" },
  { name: "Club", text: "strong(simulations=1000)", says: "1,000 simulations a move" },
  { name: "Expert", text: "strong(simulations=10000)", says: "10,000 simulations a move" },
  { name: "Master", text: "strong(seconds=5)", says: "5 seconds a move" },
];

export const CLOCKS = [
  { name: "No clock", text: "" },
  { name: "1 minute", text: "1+0" },
  { name: "3 minutes + 2 seconds", text: "3+2" },
  { name: "5 minutes", text: "5+0" },
  { name: "15 minutes + 10 seconds", text: "15+10" },
];

const PLAIN_SIDES = [["Blue", "#2f5d8a"], ["Orange", "#d9822b"], ["Green", "#4f8f5b"], ["Purple", "#8a4f8f"], ["Red", "#b03a5b"], ["Grey", "#6b6b6b"]];
const SIDES = {
  tictactoe: [["X", "#2f5d8a"], ["O", "#d9822b"]],
  chess: [["White", "#ffffff"], ["Black", "#2f2a24"]],
  go: [["Black", "#2f2a24"], ["White", "#ffffff"]],
  pacman: [["Pac-Man", "#d9822b"], ["Ghosts", "#2f5d8a"]],
};
/** Games whose drawings show no colours. */
const COLOURLESS = ["pig", "nim", "twenty48", "falling_blocks", "pgame", "tree", "bandit", "gem"];
/** Boards on which it makes a difference where one sits, and none which way stones fall. */
const TURNABLE = ["chess", "checkers", "breakthrough", "othello", "go", "hex", "backgammon", "chinese_checkers"];

const plainName = (game) => game.replace(/\(.*$/s, "").trim();

export const canTurn = (game) => TURNABLE.includes(plainName(game));

/** What a side is called in its game, and its colour on the board (null: none). */
export function sideOf(game, seat) {
  const plain = plainName(game);
  const [name, colour] = (SIDES[plain] ?? (COLOURLESS.includes(plain) ? [] : PLAIN_SIDES))[seat] ?? [`Player ${seat}`, null];
  return { name, colour };
}

/** The name of a game; "chess()" is chess. */
export function gameName(game) {
  const text = game.replace(/\(\s*\)$/, "");
  return GAMES.find((one) => one.text === text)?.name ?? text;
}

/** Who sits there, in a word. */
export const seatName = (seat) => (seat === YOU ? "You" : LEVELS.find((one) => one.text === seat)?.name ?? seat);
