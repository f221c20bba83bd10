// The address holds the history: reload, share and rewind are "open this history at this moment".
//
//   #game=gem&engine=crazy_stone()&seed=3&change=150:backup=max()&at=200

const PLAIN = ["game", "position", "engine"];
const NUMBERS = ["seed", "plan", "memory", "depth", "at"];

/** The number that a text of an address says; any other text stays what it is, so that it can be refused by its name. */
export function numberOr(text) {
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The history in the address; null where there is none. */
export function historyFromAddress(hash = location.hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  if (!given.has("game") || !given.has("engine")) return null;
  /** @type {Record<string, any>} */
  const history = { seed: 1 };
  // addresses name no format; one of a later version that does is refused with a sentence
  for (const name of ["format", ...PLAIN]) if (given.has(name)) history[name] = given.get(name);
  for (const name of NUMBERS) if (given.has(name)) history[name] = numberOr(given.get(name));
  for (const name of ["moves", "only"]) {
    if (given.has(name)) history[name] = (given.get(name) ?? "").split("|").filter(Boolean);
  }
  history.changes = given.getAll("change").map((text) => {
    const change = { at: numberOr(text.slice(0, text.indexOf(":"))) };
    for (const part of text.slice(text.indexOf(":") + 1).split(";")) {
      change[part.slice(0, part.indexOf("="))] = part.slice(part.indexOf("=") + 1);
    }
    return change;
  });
  return history;
}

/** The address of a history, with what else the page wants to keep. */
export function addressOf(history, more = {}) {
  const made = new URLSearchParams();
  for (const name of [...PLAIN, ...NUMBERS]) {
    if (history[name] != null && history[name] !== "") made.set(name, history[name]);
  }
  for (const name of ["moves", "only"]) {
    if (history[name]?.length) made.set(name, history[name].join("|"));
  }
  for (const { at, ...parts } of history.changes ?? []) {
    const text = Object.entries(parts).map(([kind, part]) => `${kind}=${part}`).join(";");
    made.append("change", `${at}:${text}`);
  }
  for (const [name, value] of Object.entries(more)) if (value) made.set(name, value);
  // readable where the standard allows it
  return "#" + made.toString().replace(/%28/g, "(").replace(/%29/g, ")").replace(/%3A/g, ":")
    .replace(/%2C/g, ",").replace(/%3B/g, ";");
}

/** Call `run` with the address that somebody has gone to: by the time one hears of it, the page may have written its own. */
export function onAddress(run) {
  addEventListener("hashchange", (event) => run(new URL(event.newURL).hash));
}

/** Write the history into the address of this page, without a new entry for the back button. */
export function keepInAddress(history, more) {
  const address = addressOf(history, more);
  if (location.hash !== address) window.history.replaceState(null, "", address);
}
