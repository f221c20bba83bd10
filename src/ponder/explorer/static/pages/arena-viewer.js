// One game of a match, move by move.
import "../elements/board.js";
import "../elements/game-record.js";
import { h, say } from "../lib/dom.js";
import { addressOfGame } from "../lib/game-address.js";

export class Viewer {
  /** @param {import("../lib/connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.game = "";
    /** @type {string[]} */
    this.moves = [];
    const button = (text, label, run) => h("button", { type: "button", "aria-label": label, onclick: run }, text);
    this.title = h("h2", { tabindex: -1 });
    this.about = h("p", { class: "small soft", role: "status" });
    this.board = h("ponder-board");
    this.record = h("ponder-game-record", { "aria-label": "Moves of the game" });
    this.link = h("a", {}, "Open in Play");
    this.buttons = [button("«", "To the beginning", () => this.goTo(0)), button("‹", "One move back", () => this.goTo(this.at - 1)),
      button("›", "One move on", () => this.goTo(this.at + 1)), button("»", "To the last move", () => this.goTo(Infinity))];
    this.section = h("section", { class: "card viewer", hidden: true, "aria-label": "A game" },
      h("div", { class: "viewer-head" }, this.title, this.link, button("✕", "Close the game", () => this.close())), this.about,
      h("div", { class: "viewer-body" }, h("div", {}, this.board, h("div", { class: "review" }, this.buttons)), this.record));
    this.record.addEventListener("pick", (event) => this.goTo(/** @type {CustomEvent} */ (event).detail));
  }

  /** Show a game, at its end. */
  async show({ game, moves, title, about, seats, seed }) {
    Object.assign(this, { game, moves, at: -1, last: null });
    say(this.title, title);
    say(this.about, about);
    this.link.href = `/play${addressOfGame({ game, moves, seats, seed })}`;
    this.section.hidden = false;
    this.last = await this.look(moves.length);
    await this.goTo(Infinity);
    this.section.scrollIntoView({ block: "nearest" });
    this.title.focus({ preventScroll: true });
  }

  look(count) {
    return this.connection.ask("table", { game: this.game, moves: this.moves.slice(0, count) });
  }

  get open() {
    return !this.section.hidden;
  }

  close() {
    this.section.hidden = true;
    this.moves = null;
  }

  async goTo(ply) {
    const { moves } = this;
    if (!moves || !this.last) return;
    const at = Math.max(0, Math.min(moves.length, ply));
    this.at = at;
    const shown = at === moves.length ? this.last : await this.look(at);
    if (this.moves !== moves || this.at !== at) return;
    const [, , wide, high] = (/viewBox="([^"]+)"/.exec(shown.svg)?.[1] ?? "0 0 1 1").split(/\s+/).map(Number);
    this.board.style.setProperty("--ratio", (wide / high).toFixed(3));
    this.board.show({ svg: shown.svg, text: shown.text, actions: [] });
    this.record.show({ moves, movers: this.last.movers, players: this.last.players, at });
    this.buttons[0].disabled = this.buttons[1].disabled = at === 0;
    this.buttons[2].disabled = this.buttons[3].disabled = at === moves.length;
  }
}
