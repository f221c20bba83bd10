// What the Lecture page teaches: for each topic its searches, its trees, and short texts, each with a button that sets
// the page to what it speaks of.

export const TEXTBOOK = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]";
const DEEP = "[[[[8, 7], [3, 9]], [[9, 8], [2, 4]]], [[[1, 8], [8, 9]], [[9, 9], [3, 4]]]]";

/**
 * @typedef {{tree?: string, players?: number, chair?: number, step?: number|null, order?: string, beam?: number, depth?: number|null, play?: boolean}} Setting
 *   step null: the end; order: best, worst or shuffled
 * @typedef {{key: string, name: string, says: string, engine: (state: any) => string, beside?: {name: string, engine: (state: any) => string},
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
];

export const topicOf = (key) => TOPICS.find((one) => one.key === key) ?? TOPICS[0];
