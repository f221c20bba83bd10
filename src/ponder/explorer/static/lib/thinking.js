// Searches that end by themselves: an engine's move, a hint, a judgement (the message "think").
//
//   const thinking = new Thinking(connection);
//   const found = await thinking.ask("hint", { game, moves, engine: "strong()", seconds: 1 }, (progress) => ...);
//   found.best, found.values, found.line, found.candidates
//
// A new search of the same name drops the one before, whose promise is rejected with `Dropped`.
import { Refused } from "./connection.js";

/** Nobody wants to know any more. */
export class Dropped extends Error {}

export class Thinking {
  /** @param {import("./connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {Map<string, {name: string, resolve: (found: any) => void, reject: (error: Error) => void, progress?: (told: any) => void}>} */
    this.asked = new Map();
    this.count = 0;
    connection.addEventListener("update", (event) => this.hear(/** @type {CustomEvent} */ (event).detail.header));
    connection.addEventListener("told", (event) => {
      const { told, session, error } = /** @type {CustomEvent} */ (event).detail;
      if (told === "failed") this.settle(session, (one) => one.reject(new Refused(error)));
      if (told === "lost") this.lose(error);
    });
    connection.addEventListener("down", () => this.lose("the connection was lost"));
  }

  ask(name, fields, progress) {
    this.drop(name);
    const session = `${name}-${++this.count}`;
    return new Promise((resolve, reject) => {
      this.asked.set(session, { name, resolve, reject, progress });
      this.connection.ask("think", { session, ...fields }).catch((error) => this.settle(session, (one) => one.reject(error)));
    });
  }

  hear(header) {
    const one = this.asked.get(header.session);
    if (!one) return;
    if (header.done) {
      this.settle(header.session, () => one.resolve(header));
      this.tell("drop", header.session);
    } else {
      one.progress?.(header);
      requestAnimationFrame(() => this.tell("seen", header.session));
    }
  }

  settle(session, how) {
    const one = this.asked.get(session);
    this.asked.delete(session);
    if (one) how(one);
  }

  /** End a search now, with what it has found. */
  hurry(name) {
    for (const [session, one] of this.asked) if (one.name === name) this.tell("hurry", session);
  }

  /** Give a search up; all of them without a name. */
  drop(name) {
    for (const [session, one] of [...this.asked]) {
      if (name !== undefined && one.name !== name) continue;
      this.settle(session, () => one.reject(new Dropped()));
      this.tell("drop", session);
    }
  }

  tell(word, session) {
    this.connection.ask(word, { session }).catch(() => {});
  }

  lose(error) {
    for (const session of [...this.asked.keys()]) this.settle(session, (one) => one.reject(new Refused(error)));
  }
}
