// What the Lecture page teaches: for each topic its searches, its trees, and short texts, each with a button that sets
// the page to what it speaks of.

export const TEXTBOOK = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]";
const RISK = '[{"chance": [[0.5, 8], [0.5, 4]]}, {"chance": [[0.9, 3], [0.1, 20]]}]';
const SQUARED = '[{"chance": [[0.5, 64], [0.5, 16]]}, {"chance": [[0.9, 9], [0.1, 400]]}]';
const DICE = '[{"chance": [[0.5, [2, 6]], [0.5, [9, 4]]]}, {"chance": [[0.9, [3, 5]], [0.1, [1, 0]]]}]';
const THREE = '[[{"returns": [1, 6, 6]}, {"returns": [7, 1, 2]}], [{"returns": [6, 1, 2]}, {"returns": [7, 2, 1]}]]';
const leaf = (...utilities) => ({ returns: utilities });
const COURT = JSON.stringify([[[leaf(1, 2, 6), leaf(4, 2, 3)], [leaf(6, 1, 2), leaf(7, 4, 1)]], [[leaf(5, 1, 1), leaf(1, 5, 2)], [leaf(7, 7, 1), leaf(5, 4, 5)]]]).replace(/,/g, ", ").replace(/:/g, ": ");
const DEAL = JSON.stringify([[leaf(4, 4), leaf(0, 6)], [leaf(2, 1), leaf(9, 0)]]).replace(/,/g, ", ").replace(/:/g, ": ");
const BEAM = '{"estimate": 4, "moves": [{"estimate": 6, "moves": [5, 7, 9]}, {"estimate": 4, "moves": [4, 6, 8]}, {"estimate": 1, "moves": [8, 9, 10]}]}';
const NOISE = '{"estimate": 0, "moves": [{"estimate": 1, "moves": [1, 2]}, {"estimate": 6, "moves": [{"noisy": {"estimate": -3, "moves": [{"noisy": -2}, -5]}}, 7]}, {"estimate": 3, "moves": [{"noisy": {"estimate": 0, "moves": [{"noisy": 4}, 0]}}, 5]}]}';
const AVERAGES = "expectiminimax(pruning='none', table=False)";
const LECTURE_ARMS = "0.6,0.55,0.4";
const ALL = "ucb1(c=2.83)|ucb1_tuned()|kl_ucb()|thompson()|epsilon_greedy()|boltzmann()";
const DEEP = "[[[[8, 7], [3, 9]], [[9, 8], [2, 4]]], [[[1, 8], [8, 9]], [[9, 9], [3, 4]]]]";

/**
 * @typedef {{tree?: string, players?: number, chair?: number, step?: number|null, order?: string, beam?: number, depth?: number|null, play?: boolean,
 *   arms?: string, rules?: string, seed?: number}} Setting
 *   step null: the end; order: best, worst or shuffled
 * @typedef {{key: string, name: string, says: string, legend?: string[], numbers?: string[], counts?: string, arms?: string, rules?: string, engine: (state: any) => string, beside?: {name: string, engine: (state: any) => string},
 *   trees: {name: string, tree: string, players?: number, depth?: number}[], notes: {title: string, text: string, action: string, set: Setting}[]}} Topic
 */

/** @type {Topic[]} */
export const TOPICS = [
  {
    key: "minimax", name: "Minimax",
    says: "MAX wants the highest number, MIN the lowest. Values rise from the leaves to the root.",
    engine: () => "minimax()",
    trees: [{ name: "The textbook's tree", tree: TEXTBOOK }, { name: "Four plies", tree: DEEP }],
    notes: [
      { title: "Who chooses", text: "△ is MAX's turn, ▽ MIN's. A leaf's number is what MAX gets at the end; MIN pays it.",
        action: "Begin at the root", set: { tree: TEXTBOOK, step: 0, chair: 0 } },
      { title: "Values rise", text: "MIN looks at all three leaves of B and takes the lowest: 3. That is what B is worth to MAX, whatever else stands there.",
        action: "Watch 3 go up", set: { tree: TEXTBOOK, step: 5, chair: 0 } },
      { title: "The decision", text: "B, C and D are worth 3, 2 and 2: MAX goes to B. 14 stays a dream, because MIN would not allow it.",
        action: "Go to the end", set: { tree: TEXTBOOK, step: null, chair: 0 } },
      { title: "From the other chair", text: "MIN sees the same tree with every sign turned: its own gain is what MAX loses. The highest is the best for whoever sits in the chair, and the line of play is the same.",
        action: "Take MIN's chair", set: { tree: TEXTBOOK, step: null, chair: 1 } },
    ],
  },
  {
    key: "alphabeta", name: "Alpha-beta",
    legend: ["cut", "window"],
    says: "The same value as minimax, from fewer leaves: what cannot matter any more is not looked at.",
    engine: () => "plain_alphabeta()",
    beside: { name: "Minimax", engine: () => "minimax()" },
    trees: [{ name: "The textbook's tree", tree: TEXTBOOK }, { name: "Four plies", tree: DEEP }],
    notes: [
      { title: "The window", text: "[α, β] goes down with the search: α is what MAX has for certain, β what MIN has. Only a value between them can change anything.",
        action: "See the window arrive at C", set: { tree: TEXTBOOK, step: 7, chair: 0 } },
      { title: "The cut", text: "C's first leaf is 2, so MIN can have 2 there. MAX has 3 at B and will never go to C: its other leaves need no look.",
        action: "Make the cut", set: { tree: TEXTBOOK, step: 8, chair: 0 } },
      { title: "Best moves first", text: "Cuts come from good moves that are tried early. With the best first, only b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves are left of b^d: here 3 + 3 − 1 = 5 of 9.",
        action: "Put the best first", set: { tree: TEXTBOOK, order: "best", step: null, chair: 0 } },
      { title: "Worst moves first", text: "Each new move is better than all before it, so nothing is ever ruled out: all 9 leaves, and all the work of minimax.",
        action: "Put the worst first", set: { tree: TEXTBOOK, order: "worst", step: null, chair: 0 } },
      { title: "The gain grows with depth", text: "Sixteen leaves, four plies deep, the best first: 4 + 4 − 1 = 7 are enough.",
        action: "Four plies, best first", set: { tree: DEEP, order: "best", step: null, chair: 0 } },
    ],
  },
  {
    key: "expectimax", name: "Expectimax",
    says: "No opponent, but luck. A round node is worth the average of its outcomes, each weighed by its chance.",
    engine: () => AVERAGES,
    trees: [{ name: "Safe or risky", tree: RISK, players: 1 }, { name: "The same, squared", tree: SQUARED, players: 1 }],
    notes: [
      { title: "Averages", text: "0.9 × 3 + 0.1 × 20 = 4.7. The 20 is tempting, but it comes one time in ten; 0.5 × 8 + 0.5 × 4 = 6 is better.",
        action: "Watch C's average", set: { tree: RISK, players: 1, step: 8 } },
      { title: "The decision", text: "Being rational is to maximise what one can expect: the player takes the safe 6.",
        action: "Go to the end", set: { tree: RISK, players: 1, step: null } },
      { title: "The scale matters", text: "Square every leaf. Their order is the same, and minimax would not mind; the averages do: 40 against 48.1, and now the risk is worth it.",
        action: "Square the leaves", set: { tree: SQUARED, players: 1, step: null } },
    ],
  },
  {
    key: "expectiminimax", name: "Expectiminimax",
    says: "MAX, MIN and dice: the highest, the lowest, the average, each where it belongs.",
    engine: () => AVERAGES,
    trees: [{ name: "Dice between the players", tree: DICE }],
    notes: [
      { title: "Three kinds of nodes", text: "MAX chooses at △, then a die falls at ○, then MIN chooses at ▽, as in backgammon.",
        action: "Begin at the root", set: { tree: DICE, step: 0, chair: 0 } },
      { title: "Up through the dice", text: "MIN takes 2 below one outcome and 4 below the other. Each happens half the time: B is worth 3.",
        action: "See B's average", set: { tree: DICE, step: 9, chair: 0 } },
      { title: "The decision", text: "3 against 2.7: MAX goes to B. No outcome is certain, and the best move may still end badly.",
        action: "Go to the end", set: { tree: DICE, step: null, chair: 0 } },
    ],
  },
  {
    key: "maxn", name: "Maxⁿ",
    legend: ["deciding"], numbers: ["players"],
    says: "Three players, three numbers at a leaf. Whoever moves looks at their own number alone.",
    engine: () => "maxn()",
    trees: [{ name: "Two plies", tree: THREE, players: 3 }, { name: "Three players, three plies", tree: COURT, players: 3 }, { name: "Two who are not opposed", tree: DEAL, players: 2 }],
    notes: [
      { title: "Whose number decides", text: "At B player 1 moves and compares the second numbers, 6 and 1. Underlined is what the player above compares.",
        action: "See player 1 choose", set: { tree: THREE, players: 3, step: 4 } },
      { title: "The whole tuple rises", text: "Player 1's choice at C is (7, 2, 1). Player 0 compares the first numbers, 1 and 7, and goes there.",
        action: "Go to the end", set: { tree: THREE, players: 3, step: null } },
      { title: "Ties", text: "Player 0 gets 1 on either side and does not care; player 2 gets 6 or 2, and does. Which move is taken among equals is part of the result.",
        action: "Three plies", set: { tree: COURT, players: 3, step: null } },
      { title: "Not against each other", text: "Two players whose numbers do not add up to the same: (4, 4) would suit both. But at B player 1 would rather have 6, player 0 knows it, and they end at (2, 1).",
        action: "See them miss it", set: { tree: DEAL, players: 2, step: null } },
    ],
  },
  {
    key: "beam", name: "Beam",
    legend: ["cut", "out", "guess"], numbers: ["beam"], counts: "nodes",
    says: "Only the few moves that look best are considered at each node. Fast, and sometimes wrong.",
    engine: (state) => `plain_alphabeta(beam=${state.beam}, evaluation_order=True)`,
    beside: { name: "All moves", engine: () => "plain_alphabeta(evaluation_order=True)" },
    trees: [{ name: "A move that looks bad", tree: BEAM }],
    notes: [
      { title: "At a glance", text: "≈ is what a node looks like before it is searched. The moves that look best are tried first; the beam takes so many, and no more.",
        action: "Begin at the root", set: { tree: BEAM, beam: 2, step: 0, chair: 0 } },
      { title: "What the beam misses", text: "D looks like 1 and is worth 8, the best there is. A beam of two never goes there, and believes in 5.",
        action: "Beam of two", set: { tree: BEAM, beam: 2, step: null, chair: 0 } },
      { title: "A wider beam", text: "With three moves the error is gone, and so is the saving. Unlike alpha-beta's cuts, a beam's are guesses.",
        action: "Beam of three", set: { tree: BEAM, beam: 3, step: null, chair: 0 } },
    ],
  },
  {
    key: "quiescence", name: "Quiescence",
    legend: ["cut", "out", "noisy", "guess"], numbers: ["depth"], counts: "nodes",
    says: "A search that stops in the middle of an exchange believes what it sees last. Quiescence plays the noisy moves out first.",
    engine: () => "plain_alphabeta(quiescence=True)",
    beside: { name: "Without quiescence", engine: () => "plain_alphabeta()" },
    trees: [{ name: "An exchange", tree: NOISE, depth: 1 }],
    notes: [
      { title: "The horizon", text: "One ply deep, C looks like 6: MAX has just taken something. That MIN takes back at once lies beyond the horizon.",
        action: "Search one ply", set: { tree: NOISE, depth: 1, step: null, chair: 0 } },
      { title: "Playing it out", text: "Wavy moves are noisy. At the end of its depth the search goes on with these alone, until nothing is left to take; whoever moves may also stay with what the node looks like.",
        action: "See the exchange at C", set: { tree: NOISE, depth: 1, step: 6, chair: 0 } },
      { title: "The truth", text: "Three plies deep no estimate is needed, and D it is. Quiescence found the same move with less.",
        action: "Search three plies", set: { tree: NOISE, depth: 3, step: null, chair: 0 } },
    ],
  },
  {
    key: "bandits", name: "Bandits",
    says: "Several arms, each with a hidden chance to win. Find the best one, and lose as little as possible on the way.",
    engine: () => "", trees: [], arms: LECTURE_ARMS, rules: ALL,
    notes: [
      { title: "The dilemma", text: "A wins 60 %, B 55 %, C 40 % (dashed), and nobody tells. Each pull says a little about one arm, and costs the chance to pull a better one.",
        action: "Pull slowly", set: { arms: LECTURE_ARMS, rules: ALL, seed: 1, step: 0, play: true } },
      { title: "Bars", text: "A bar is where the chance may lie, judged by what was seen. It shrinks with the root of the pulls: four times as many make it half as long.",
        action: "After 60 pulls", set: { arms: LECTURE_ARMS, rules: ALL, seed: 1, step: 60 } },
      { title: "Optimism", text: "UCB1 pulls the arm whose upper bound (the thin line) is highest: mean + C √(ln N / n). Either the arm is good, or little is known of it; both are reasons to pull.",
        action: "UCB1 alone", set: { arms: LECTURE_ARMS, rules: "ucb1(c=2.83)|ucb1(c=0.5)", seed: 1, step: 40 } },
      { title: "Greed", text: "Always the best mean so far: with these dice A and B lose their first pull, and nothing ever brings Greedy back to them. A little chance for everybody repairs it.",
        action: "See it get stuck", set: { arms: LECTURE_ARMS, rules: "epsilon_greedy(epsilon=0.0)|epsilon_greedy()|ucb1_tuned()", seed: 13, step: 60 } },
      { title: "Regret", text: "Round robin loses in proportion to the pulls, and so does a fixed ε, only slower. UCB1-Tuned and Thompson pull bad arms ever more seldom: their curves bend.",
        action: "300 pulls", set: { arms: "0.8,0.5,0.3", rules: "equal()|epsilon_greedy(epsilon=0.3)|ucb1_tuned()|thompson()", seed: 1, step: 300 } },
    ],
  },
];

export const topicOf = (key) => TOPICS.find((one) => one.key === key) ?? TOPICS[0];
