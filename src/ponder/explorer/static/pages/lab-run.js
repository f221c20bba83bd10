// An experiment as the page sees it: planned, run, watched, stopped, continued. Fires "change".
//
// Finished steps and results are kept on the server's machine; the page only remembers that a run was going on, so that
// a reload, a lost connection or an ended worker goes on with it.

const KEPT = "ponder-lab";

/**
 * @typedef {{experiment: string, version: string, sizes: Record<string, number>, seed: number, game: string, own: string[]}} Wish
 */

export class Run extends EventTarget {
  /** @param {import("../lib/connection.js").Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    /** @type {any} the answer to the message plan */
    this.plan = null;
    /** @type {any} LabRun.state() in lab_run.py */
    this.state = null;
    /** @type {Wish|null} what the plan and the state are of */
    this.wish = null;
    this.error = "";
    connection.addEventListener("update", (event) => this.hear(/** @type {CustomEvent} */ (event).detail.header));
    connection.addEventListener("told", (event) => this.told(/** @type {CustomEvent} */ (event).detail));
    connection.addEventListener("down", () => this.pausedBy());
  }

  change() {
    this.dispatchEvent(new Event("change"));
  }

  get running() {
    return Boolean(this.state?.running);
  }

  /** What came out, or what there is of it so far. */
  get found() {
    return this.state?.report ? this.state : this.state ? null : this.plan?.kept;
  }

  /** Finished steps of a run that has not come to its end. */
  get unfinished() {
    if (this.state) return this.state.finished ? 0 : this.state.done;
    return this.plan?.kept ? 0 : this.plan?.kept_steps ?? 0;
  }

  /** Look at another experiment, or at other sizes of this one. @param {Wish} wish */
  async look(wish) {
    const plan = await this.connection.ask("plan", wish);
    if (this.running) await this.stop();
    this.wish = wish;
    this.plan = plan;
    this.state = null;
    this.error = "";
    this.change();
  }

  async begin(again = false) {
    this.error = "";
    this.take(await this.connection.ask("lab_run", { ...this.wish, again }));
  }

  async stop() {
    await this.connection.ask("lab_stop");
    this.forget();
  }

  hear(header) {
    if (header.session !== "lab") return;
    requestAnimationFrame(() => this.connection.ask("seen", { session: "lab" }).catch(() => {}));
    this.take(header);
  }

  take(state) {
    this.state = state;
    this.heard = performance.now();
    if (state.running) sessionStorage.setItem(KEPT, JSON.stringify(this.wish));
    else this.forget();
    this.change();
  }

  told({ told, session, error }) {
    if (told === "failed" && session === "lab") {
      if (this.state) this.state.running = false;
      this.error = error;
      this.forget();
      this.change();
    } else if (told === "lost") {
      this.pausedBy();
    }
  }

  pausedBy() {
    if (!this.state?.running) return;
    this.state.running = false;
    this.change();
  }

  forget() {
    sessionStorage.removeItem(KEPT);
  }

  /** Was this going on before a reload, or before the connection was lost? */
  wasRunning() {
    return sessionStorage.getItem(KEPT) === JSON.stringify(this.wish);
  }
}
