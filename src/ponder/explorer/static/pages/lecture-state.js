// What the Lecture page shows, as one small object, and the same in the address:
//
//   #topic=alphabeta&tree=[[3,12,8],[2,4,6],[14,5,2]]&players=2&step=8&chair=1
//   #topic=bandits&arms=0.6,0.55,0.4&rules=ucb1(c=2.83)|thompson()&seed=1&step=57
import { topicOf } from "./lecture-topics.js";

const NUMBERS = ["players", "step", "chair", "depth", "beam", "seed"];
const TEXTS = ["tree", "arms", "rules"];

/** Where a topic begins. */
export function beginningOf(key) {
  const topic = topicOf(key), first = topic.trees?.[0];
  return { topic: topic.key, tree: first?.tree ?? "", players: first?.players ?? 2, depth: first?.depth ?? null, beam: 2, step: 0, chair: 0,
    arms: topic.arms ?? "", rules: topic.rules ?? "", seed: 1 };
}

/** What the address says; whatever is missing or no number is as at the beginning of the topic. */
export function fromAddress(hash = location.hash) {
  const given = new URLSearchParams(hash.replace(/^#/, "")), state = beginningOf(given.get("topic"));
  for (const name of TEXTS) if (given.has(name)) state[name] = given.get(name);
  for (const name of NUMBERS) {
    const value = Number(given.get(name));
    if (given.has(name) && Number.isInteger(value) && value >= 0) state[name] = value;
  }
  state.players = Math.max(1, Math.min(6, state.players));
  state.chair = state.chair ? 1 : 0;
  return state;
}

export function keep(state) {
  const made = new URLSearchParams({ topic: state.topic }), usual = beginningOf(state.topic);
  for (const name of TEXTS) if (state[name]) made.set(name, state[name].replace(/,\s+/g, ","));
  for (const name of NUMBERS) if (state[name] != null && state[name] !== usual[name]) made.set(name, state[name]);
  const address = "#" + made.toString().replace(/%(5B|5D|2C|3A|28|29|7C|3D)/g, (code) => decodeURIComponent(code)); // readable
  if (location.hash !== address) history.replaceState(null, "", address);
}
