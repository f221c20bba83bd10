// <ponder-game-record>: the moves of a game, a row for each round; a click shows the position after a move.
//
//   list.show({ moves: ["e2e4", ...], movers: [0, 1, ...], players: 2, at: 3, marks: new Map([[2, "?"]]) });
//
// movers: -1 where dice fell. at: moves that have been made in the position that is shown. marks: by ply, counted
// from 0. Fires "pick" with the number of moves after which the position stands.
import { h, set } from "../lib/dom.js";
import { dice } from "../lib/dice.js";

const ALONE = 4; // moves in a row where one plays alone

export class PonderGameRecord extends HTMLElement {
  connectedCallback() {
    if (this.list) return;
    this.list = h("ol", { class: "record-list" });
    this.append(this.list);
  }

  show({ moves, movers, players, at, marks = new Map() }) {
    const text = JSON.stringify([moves, movers, [...marks]]);
    if (text !== this.drawn) {
      this.drawn = text;
      this.alone = players === 1;
      this.list.style.setProperty("--columns", String(this.alone ? ALONE : players));
      this.list.replaceChildren(...this.rounds(moves, movers, marks));
    }
    for (const one of this.list.querySelectorAll("[data-ply]")) {
      set(one, { "aria-current": Number(one.getAttribute("data-ply")) === at ? "true" : null });
    }
    const current = this.list.querySelector("[aria-current]");
    if (current && at !== this.at) {
      // not scrollIntoView, which would move the whole page
      const box = this.getBoundingClientRect(), one = current.getBoundingClientRect();
      if (one.top < box.top) this.scrollTop -= box.top - one.top + 4;
      if (one.bottom > box.bottom) this.scrollTop += one.bottom - box.bottom + 4;
    }
    this.at = at;
  }

  rounds(moves, movers, marks) {
    const rows = [];
    /** @type {any} */
    let row = null;
    let last = Infinity, waiting = [], made = 0;
    moves.forEach((name, ply) => {
      if (movers[ply] < 0) {
        waiting.push(name);
        return;
      }
      const mover = this.alone ? made++ % ALONE : movers[ply];
      if (mover < last) { // who moves twice in a row has both in one
        row = h("li", { class: "record-round" }, h("span", { class: "record-number soft small" }, `${rows.length + 1}.`));
        rows.push(row);
      }
      row.append(this.entry(name, ply, mover, waiting, marks.get(ply)));
      last = mover;
      waiting = [];
    });
    if (waiting.length && row) row.append(h("span", { class: "record-thrown" }, dice(waiting)));
    if (this.alone) rows.forEach((one, i) => { one.firstChild.textContent = `${1 + i * ALONE}.`; });
    return rows;
  }

  entry(name, ply, mover, thrown, mark) {
    const button = h("button", { type: "button", class: `quiet record-move${mark ? " is-marked" : ""}`, "data-ply": ply + 1,
      style: `grid-column: ${mover + 2}`, onclick: () => this.dispatchEvent(new CustomEvent("pick", { detail: ply + 1 })) },
    thrown.length ? dice(thrown) : null, h("span", {}, name), mark ? h("strong", { class: "record-mark" }, mark) : null);
    return button;
  }
}

customElements.define("ponder-game-record", PonderGameRecord);
