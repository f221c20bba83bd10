// What can be chosen on the page: presets, backup and select rules, scenarios. The seeds of the presets were
// chosen by running them: tests/explorer checks that what their texts say does happen.

/** @typedef {{key: string, name: string, says: string, text: string}} Choice */

/** @type {Choice[]} text: the rule as a SPEC writes it */
export const BACKUPS = [
  { key: "mix", name: "Mix", text: "mix()", says: "Begins as the mean and slides towards the best child as visits grow: Coulom's own." },
  { key: "mean", name: "Mean", text: "mean()", says: "The plain average of all playouts: bad moves drag it down." },
  { key: "max", name: "Max", text: "max(points=1)", says: "The luckiest child's value: noise lifts it too high." },
  { key: "robust_max", name: "Robust max", text: "robust_max()", says: "The value of the child with the most visits." },
];

/** @type {Choice[]} */
export const SELECTS = [
  { key: "urgency", name: "Coulom", text: "urgency()", says: "Draws moves by how likely they are to be best; a floor keeps every move alive." },
  { key: "progressive_pruning", name: "Pruning", text: "progressive_pruning(z=1.0, least=6)", says: "All moves in turn; one that looks clearly worse is cut for good." },
  { key: "ucb1", name: "UCB1", text: "ucb1()", says: "The highest mean plus a bonus for having been tried little." },
  { key: "epsilon_greedy", name: "ε-greedy", text: "epsilon_greedy()", says: "Usually the best so far, now and then any move at random." },
  { key: "boltzmann", name: "Boltzmann", text: "boltzmann()", says: "Draws moves by the exponential of their value: warmer is more curious." },
  { key: "puct", name: "PUCT", text: "puct()", says: "Value plus a bonus in proportion to a prior: AlphaZero's rule." },
];

/** @type {Choice[]} text: the game */
export const SCENARIOS = [
  { key: "noise", name: "Noise only", text: "gem(scenario=noise)", says: "Each playout is the move's true value plus noise. C is best, and the noisiest." },
  { key: "gem", name: "Hidden gem", text: "gem()", says: "C's value hides in one good line below it: most replies waste it." },
  { key: "pruning", name: "Deeply hidden", text: "gem(scenario=pruning)", says: "The same, hidden deeper: at first C looks like the worst move." },
  { key: "plain", name: "Plain", text: "gem(scenario=plain)", says: "What looks best is best. Every rule gets this one right." },
  { key: "twins", name: "Twins", text: "gem(scenario=twins)", says: "A and C are worth the same; A is steady, C is noisy." },
];

/** Expanding at once gives every child a prior, which PUCT needs; the others take it as well. */
export const engineOf = (select, backup) =>
  `mcts(select=${select}, expand=${select.startsWith("puct") ? "all_children()" : "nth_visit(n=2)"}, evaluate=game_rollout(), backup=${backup})`;

const by = (choices, key) => choices.find((one) => one.key === key).text;

/** @type {{key: string, name: string, says: string, history: any}[]} */
export const PRESETS = [
  {
    key: "gem", name: "Coulom: find the gem",
    says: "C is the best move, but its playouts are noisy and A looks better at first. Watch C climb past A.",
    history: { game: by(SCENARIOS, "noise"), engine: engineOf(by(SELECTS, "urgency"), by(BACKUPS, "mix")), seed: 6 },
  },
  {
    key: "pruning", name: "Pruning kills the gem",
    says: "A few unlucky playouts, and C is cut for good. The search settles on A and cannot come back.",
    history: { game: by(SCENARIOS, "noise"), engine: engineOf(by(SELECTS, "progressive_pruning"), by(BACKUPS, "mean")), seed: 18 },
  },
];
