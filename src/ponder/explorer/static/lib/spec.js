// The texts of games and engines, taken apart and put together: mcts(select=ucb1(c=1.4), simulations=1000)
//
//   parseSpec("uct(c=1)") -> { name: "uct", args: [{ name: "c", value: "1" }] }
//
// A value is another call, or its text as it was written. ponder.core.parts reads the same syntax.

/** What searches where nobody says: as on the command line. */
export const DEFAULT_ENGINE = "strong()";

/** @typedef {{name: string, args: {name: string|null, value: string|Spec}[]}} Spec */

/** The call in a text; throws an Error with a sentence. */
export function parseSpec(/** @type {string} */ text) {
  let at = 0;
  const wrong = (what) => new Error(`${what} at character ${at + 1} of ${text.trim() || "an empty text"}`);
  const blanks = () => { while (/\s/.test(text[at] ?? "")) at++; };

  function quoted() {
    const mark = text[at], begin = at++;
    while (at < text.length && text[at] !== mark) at += text[at] === "\\" ? 2 : 1;
    if (at >= text.length) throw wrong("a quotation mark is missing");
    at++;
    return text.slice(begin, at);
  }

  /** A plain value, up to a comma or a closing bracket of the call around it. */
  function plain() {
    const begin = at;
    let depth = 0;
    while (at < text.length) {
      const letter = text[at];
      if (letter === "'" || letter === '"') { quoted(); continue; }
      if ("([{".includes(letter)) depth++;
      else if (")]}".includes(letter) && depth-- === 0) break;
      else if (letter === "," && depth === 0) break;
      at++;
    }
    const value = text.slice(begin, at).trim();
    if (!value) throw wrong("a value is missing");
    return value;
  }

  function call() {
    blanks();
    const name = "'\"".includes(text[at] ?? " ") ? quoted() : /^[^\s(),='"]+/.exec(text.slice(at))?.[0];
    if (!name) throw wrong("a name is missing");
    if (text.slice(at).startsWith(name)) at += name.length;
    /** @type {Spec} */
    const made = { name, args: [] };
    blanks();
    if (text[at] !== "(") return made;
    at++;
    for (blanks(); text[at] !== ")"; blanks()) {
      if (at >= text.length) throw wrong("a closing bracket is missing");
      const key = /^([A-Za-z_]\w*)\s*=(?!=)\s*/.exec(text.slice(at));
      if (key) at += key[0].length;
      const begin = at, nested = /^[A-Za-z_][\w./\\:~-]*\(/.test(text.slice(at));
      let value = nested ? call() : plain();
      blanks();
      if (nested && text[at] !== "," && text[at] !== ")") { at = begin; value = plain(); }
      made.args.push({ name: key ? key[1] : null, value });
      if (text[at] === ",") at++;
      else if (text[at] !== ")") throw wrong("a comma or a closing bracket is missing");
    }
    at++;
    return made;
  }

  const made = call();
  blanks();
  if (at < text.length) throw wrong("something is left over");
  return made;
}

/** The text of a call. */
export function printSpec(/** @type {Spec} */ spec) {
  const value = (one) => (typeof one === "string" ? one : printSpec(one));
  return `${spec.name}(${spec.args.map((arg) => (arg.name ? `${arg.name}=` : "") + value(arg.value)).join(", ")})`;
}

/** The same call with every argument named, as the parameters stand; what is too much keeps no name. */
export function named(/** @type {Spec} */ spec, /** @type {string[]} */ parameters) {
  return { name: spec.name, args: spec.args.map((arg, i) => ({ name: arg.name ?? parameters[i] ?? null, value: arg.value })) };
}

/** The value of an argument; undefined where it is not given. */
export function argument(/** @type {Spec} */ spec, /** @type {string} */ name) {
  return spec.args.find((arg) => arg.name === name)?.value;
}

/** The call with an argument set, or without it (null). */
export function withArgument(spec, name, value) {
  const args = spec.args.filter((arg) => arg.name !== name), at = spec.args.findIndex((arg) => arg.name === name);
  if (value != null) args.splice(at < 0 ? args.length : at, 0, { name, value });
  return { name: spec.name, args };
}
