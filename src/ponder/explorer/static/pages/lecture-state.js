// What the Lecture page shows, as one small object, and the same in the address:
//
//   #topic=alphabeta&tree=[[3,12,8],[2,4,6],[14,5,2]]&players=2&step=8&chair=1
import { topicOf } from "./lecture-topics.js";

const NUMBERS = ["players", "step", "chair", "depth", "beam"];

/** Where a topic begins. */
export function beginningOf(key) {
  const topic = topicOf(key), first = topic.trees?.[0];
  return { topic: topic.key, tree: first?.tree ?? "", players: first?.players ?? 2, depth: first?.depth ?? null, beam: 2, step: 0, chair: 0 };
}

/** What the address says; whatever is missing or no number is as at the beginning of the topic. */
export function fromAddress(hash = location.hash) {
  const given = new URLSearchParams(hash.replace(/^#/, "")), state = beginningOf(given.get("topic"));
  if (given.has("tree")) state.tree = given.get("tree");
  for (const name of NUMBERS) {
    const value = Number(given.get(name));
    if (given.has(name) && Number.isInteger(value) && value >= 0) state[name] = value;
  }
  state.players = Math.max(1, Math.min(6, state.players));
  state.chair = state.chair ? 1 : 0;
  return state;
}

export function keep(state) {
  const made = new URLSearchParams({ topic: state.topic, tree: state.tree.replace(/,\s+/g, ",") });
  for (const name of NUMBERS) if (state[name] != null && state[name] !== beginningOf(state.topic)[name]) made.set(name, state[name]);
  const address = "#" + made.toString().replace(/%5B/g, "[").replace(/%5D/g, "]").replace(/%2C/g, ",").replace(/%3A/g, ":");
  if (location.hash !== address) history.replaceState(null, "", address);
}
