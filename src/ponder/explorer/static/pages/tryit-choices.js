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
  { key: "epsilon_greedy", name: "ε-greedy", text: "epsilon_greedy(epsilon=0.2)", says: "Usually the best so far, now and then any move at random." },
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

/** PUCT needs priors: here those of an old hand, who likes steady moves. */
export const PRIORS = "all_children(priors=order())";

export const engineOf = (select, backup) =>
  `mcts(select=${select}, expand=${select.startsWith("puct") ? PRIORS : "nth_visit(n=2)"}, evaluate=game_rollout(), backup=${backup})`;

const by = (choices, key) => choices.find((one) => one.key === key).text;

/**
 * @typedef {{key: string, name: string, says: string, history: any, then?: {at: number, parts: Record<string, string>}}} Preset
 * then: what is switched when the search comes to that moment
 */
const NOISE = by(SCENARIOS, "noise");

/** @type {Preset[]} */
export const PRESETS = [
  {
    key: "gem", name: "Coulom: find the gem",
    says: "C is the best move, but its playouts are noisy, so A looks better at first. No move is ever given up: " +
      "watch C climb past A, and the clay ring land on it.",
    history: { game: NOISE, engine: engineOf(by(SELECTS, "urgency"), by(BACKUPS, "mix")), seed: 6 },
  },
  {
    key: "pruning", name: "Pruning kills the gem",
    says: "The search is right about C until a few unlucky playouts, and C is cut for good. From then on it recommends A, " +
      "and no number of simulations can bring C back.",
    history: { game: NOISE, engine: engineOf(by(SELECTS, "progressive_pruning"), by(BACKUPS, "mean")), seed: 18 },
  },
  {
    key: "max", name: "Max in the middle",
    says: "As the first one, until at 150 simulations the backup becomes Max. At once the root takes the luckiest playouts " +
      "below it for true, and its value jumps above the truth.",
    history: { game: NOISE, engine: engineOf(by(SELECTS, "urgency"), by(BACKUPS, "mix")), seed: 6, at: 120 },
    then: { at: 150, parts: { backup: by(BACKUPS, "max") } },
  },
  {
    key: "ucb1", name: "UCB1",
    says: "A bonus for what was tried little: C gets its second chance without a die. The mean as backup stays below the " +
      "truth, because the other moves are averaged in.",
    history: { game: NOISE, engine: engineOf(by(SELECTS, "ucb1"), by(BACKUPS, "mean")), seed: 9 },
  },
  {
    key: "epsilon", name: "ε-greedy",
    says: "Four of five simulations go to the leader. C waits for its rare turns, and takes nearly three hundred " +
      "simulations to overtake A.",
    history: { game: NOISE, engine: engineOf(by(SELECTS, "epsilon_greedy"), by(BACKUPS, "mean")), seed: 4 },
  },
  {
    key: "boltzmann", name: "Boltzmann",
    says: "Better moves are likelier, none is excluded. C leads after a hundred simulations, but B and D keep their share " +
      "for ever, and pull the root value down.",
    history: { game: NOISE, engine: engineOf(by(SELECTS, "boltzmann"), by(BACKUPS, "mean")), seed: 8 },
  },
  {
    key: "puct", name: "PUCT with priors",
    says: "A prior expects steady moves to be good: A starts with the most trust, C with the least. It takes some 160 " +
      "simulations of evidence to overrule it.",
    history: { game: NOISE, engine: engineOf(by(SELECTS, "puct"), by(BACKUPS, "mean")), seed: 2 },
  },
];
