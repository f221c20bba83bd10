// The same story on six levels, in our own words; each ends with a button that sets the page to what it speaks of.

/** @typedef {{key: string, name: string, text: string[], action: string, preset: string, at?: number, run?: number, look?: boolean}} Level */

/** @type {Level[]} at: the moment to begin with; run: simulations a second; look: show why the root chooses as it does */
export const LEVELS = [
  {
    key: "five", name: "Age 5",
    text: [
      "There are four boxes. In every box are many sweets, big ones and small ones, and you may only feel inside and take " +
      "out one at a time. One box has the best sweets of all.",
      "You try a box, and you get a small one. Is it a bad box? Perhaps you were just unlucky! So you try it again later. " +
      "If you say “never again” after one small sweet, you may be saying it to the best box.",
      "The computer does the same. It looks most into the boxes that were good so far, and it always peeks into the others " +
      "now and then.",
    ],
    action: "Watch it slowly", preset: "gem", run: 5,
  },
  {
    key: "school", name: "High school",
    text: [
      "Each try of a move is a random game played to its end: one noisy number. The average of a few such numbers can be far " +
      "off, and the more a move's results scatter, the longer its average needs to settle.",
      "Look at the bells: A's is narrow, so three tries say nearly everything. C's is wide. Its first average may well come " +
      "out below A's although C is better. That is no bad thinking, only bad luck, and more tries cure it.",
      "Unless somebody forbids more tries. That is pruning. Here the search is one simulation away from forbidding C.",
    ],
    action: "Stop just before the cut", preset: "pruning", at: 24,
  },
  {
    key: "student", name: "Student",
    text: [
      "One simulation: go down the tree by the selection rule, add a node, play out at random, carry the result back up. " +
      "The rule is a bandit's dilemma at every node: spend the next sample where it may change your mind.",
      "Coulom's urgency answers with a probability, roughly that of move i turning out better than the leader, from both means and " +
      "variances, plus a floor ε. The floor is the whole difference from pruning: a probability that never reaches zero " +
      "makes every early mistake a temporary one.",
      "A node's own value begins as the mean of its simulations and moves towards its best child's as they add up.",
    ],
    action: "Look at every urgency", preset: "gem", at: 40, look: true,
  },
  {
    key: "pro", name: "Engineer",
    text: [
      "Where you can simulate cheaply but cannot score by hand, this is an anytime optimiser: stop whenever the budget is " +
      "spent, and the answer is the best known so far. Every simulation is a scheduling decision of its own.",
      "Hard pruning looks like saved budget. It is a bet that your samples are already representative, and it has no undo. " +
      "A floor costs a few percent of the simulations and buys the guarantee that more budget means a better answer.",
      "What it asks of you: a scale for the results, and constants that fit your noise. Drag the bells and see how soon a rule's " +
      "defaults stop fitting.",
    ],
    action: "See the cheap rule pay", preset: "pruning", run: 20,
  },
  {
    key: "phd", name: "PhD",
    text: [
      "The maximum of unbiased estimates is biased upwards, by more the noisier they are; the mean over a tree is biased downwards by every " +
      "inferior move it contains. Coulom's Mix trades one against the other by visit counts, fitted so that the estimate after " +
      "2ⁿ simulations predicts the one after 2ⁿ⁺¹.",
      "Switch Mix to Max in the middle and the bias is a visible step at the root, at the same tree and the same samples. It " +
      "shrinks as visits grow, but selection keeps feeding the overestimated child.",
      "The weak spot is the variance that is backed up, σ² / min(500, S): results inside a growing tree are not " +
      "identically distributed, and no central limit holds as written.",
    ],
    action: "Make the bias visible", preset: "max", run: 20,
  },
  {
    key: "researcher", name: "Researcher",
    text: [
      "Monte Carlo Go had grown trees level by level before, and pruned between two levels; adaptive sampling gave each node a number " +
      "of samples in advance. Here every simulation decides anew where it goes, and its result is at the root at once: any moment is a " +
      "good one to stop, and nothing that was decided early stays decided.",
      "Low regret, which bandit rules aim at, is not quite the aim: a simulation of a bad move costs nothing if the last choice is right. " +
      "The root wants the best chance of naming the best move, a node below it an accurate value. One rule for both is a compromise.",
      "What came later replaced the parts and kept the loop: a bandit's bound for the urgency, then learned priors and values for the random playouts.",
    ],
    action: "Put UCB1 in its place", preset: "ucb1", at: 60, look: true,
  },
];
