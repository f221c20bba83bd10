// What has happened in a search, told from its history and its trail: so it is the same after a reload.
import { BACKUPS, SCENARIOS, SELECTS } from "./tryit-choices.js";

/** @typedef {{moment: number|null, text: string, mood?: string, after?: boolean, history?: any}} Entry */

/** A rule or game as the page calls it. */
export function called(kind, text) {
  const choices = { backup: BACKUPS, select: SELECTS, game: SCENARIOS }[kind] ?? [];
  const plain = text.replace(/['"]/g, "");
  const found = choices.find((one) => one.text === plain) ?? choices.find((one) => plain.startsWith(`${one.key}(`));
  if (kind === "game" && found && found.text !== plain) return "Your own values";
  return found?.name ?? text;
}

/** The text of one part in an engine's text: brackets may be nested. */
export function partOf(engine, kind) {
  const begin = engine.indexOf(`${kind}=`);
  if (begin < 0) return { select: "ucb1()", backup: "mean()" }[kind];
  let depth = 0, end = begin + kind.length + 1;
  for (; end < engine.length; end++) {
    if (engine[end] === "(") depth++;
    else if (engine[end] === ")" && depth-- === 0) break;
    else if (engine[end] === "," && depth === 0) break;
  }
  return engine.slice(begin + kind.length + 1, end);
}

/** In few words: what a history is a run of. */
export function inWords(history) {
  const rules = [called("select", partOf(history.engine, "select")), called("backup", partOf(history.engine, "backup"))];
  return `${rules.join(", ")}; ${called("game", history.game)}, seed ${history.seed}`;
}

/**
 * @param {any} history @param {any} state @param {import("../lib/session.js").Point[]} trail
 * @returns {Entry[]} in the order in which it happened
 */
export function entriesOf(history, state, trail) {
  /** @type {Entry[]} */
  const entries = [{ moment: 0, text: `Start: ${inWords(history)}` }];
  const values = state.truth?.values ?? [], best = Math.max(...values);
  let lead = null, cut = [];
  for (const point of trail) {
    if (point.best && point.best !== lead) {
      const right = values["ABCD".indexOf(point.best)] === best;
      entries.push({ moment: point.moment, text: lead ? `${point.best} takes the lead from ${lead}` : `${point.best} leads`,
        mood: right ? "right" : "wrong", after: point.changes > 0 });
      lead = point.best;
    }
    for (const gone of point.cut ?? []) {
      if (!cut.includes(gone)) entries.push({ moment: point.moment, text: `${gone} is cut for good`, mood: "cut" });
    }
    cut = point.cut ?? [];
  }
  for (const { at, ...parts } of [...history.changes, ...state.ahead]) {
    for (const [kind, text] of Object.entries(parts)) {
      if (kind === "expand") continue; // it comes with PUCT
      const name = { backup: "Backup", select: "Selectivity" }[kind] ?? kind;
      entries.push({ moment: at, text: `${name} becomes ${called(kind, text)}`, mood: "change", after: true });
    }
  }
  return entries.sort((a, b) => a.moment - b.moment);
}
