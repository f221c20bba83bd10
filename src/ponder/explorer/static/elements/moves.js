// <ponder-moves>: the candidate moves of a search, the most visited first.
//
//   table.show(rows, { best: "4", unit: "visits", other: [rows of another search] });   // rows of Live.state
//
// Fires "pick" {name} for a click or Enter on a move, "look" {name} (or null) while the pointer or focus is on it.
// With `other`, its share and value stand beside, and where the two differ most is marked.
import { h, say, set } from "../lib/dom.js";
import { count, percent, signed } from "../lib/format.js";

const SHOWN = 10;

export class PonderMoves extends HTMLElement {
  connectedCallback() {
    if (this.body) return;
    this.head = h("tr");
    this.body = h("tbody");
    this.all = h("button", { type: "button", class: "quiet small", hidden: true, onclick: () => { this.whole = !this.whole; this.paint(); } });
    this.append(h("table", {}, h("caption", { class: "unseen" }, "Candidate moves"), h("thead", {}, this.head), this.body), this.all);
  }

  show(rows, look = {}) {
    this.rows = rows.slice().sort((a, b) => b.visits - a.visits || (b.value ?? -Infinity) - (a.value ?? -Infinity));
    this.look = look;
    this.paint();
  }

  paint() {
    const { best, other } = this.look, total = this.rows.reduce((sum, row) => sum + row.visits, 0);
    const has = (name) => this.rows.some((row) => row[name] != null);
    const columns = [["move", ""], ["", "share"], ["visits", "number"], ["value", "number"], ["±", "number"], ["prior", "number"], ["proven", "number"]]
      .filter(([name]) => (name === "±" ? has("spread") : name === "prior" ? has("prior") : name === "proven" ? has("low") : true));
    if (!total) columns.splice(1, 2);
    if (other) columns.push(["other", "number"], ["value", "number"]);
    const heading = JSON.stringify(columns);
    if (heading !== this.heading) {
      this.heading = heading;
      this.head.replaceChildren(...columns.map(([name, kind]) => h("th", { scope: "col", class: kind }, name || h("span", { class: "unseen" }, "share"))));
      this.body.replaceChildren();
    }
    const shown = this.rows.slice(0, this.whole ? 400 : SHOWN);
    while (this.body.children.length > shown.length) this.body.lastChild.remove();
    shown.forEach((row, i) => this.fill(this.body.children[i] ?? this.body.appendChild(this.line(columns.length)), row, columns, total, best, other));
    const left = this.rows.length - SHOWN;
    this.all.hidden = left <= 0;
    say(this.all, this.whole ? "fewer" : `${count(left)} more`);
  }

  line(cells) {
    const button = h("button", { type: "button", class: "quiet move-name" }), line = h("tr", {}, h("td", {}, button));
    for (let i = 1; i < cells; i++) line.append(h("td"));
    const tell = (word, name) => this.dispatchEvent(new CustomEvent(word, { detail: { name } }));
    line.addEventListener("click", () => tell("pick", line.dataset.name));
    for (const kind of ["pointerenter", "focusin"]) line.addEventListener(kind, () => tell("look", line.dataset.name));
    for (const kind of ["pointerleave", "focusout"]) line.addEventListener(kind, () => tell("look", null));
    return line;
  }

  fill(line, row, columns, total, best, other) {
    set(line, { "data-name": row.name, class: row.name === best ? "is-best" : "" });
    say(line.firstChild.firstChild, row.name);
    const share = total ? row.visits / total : 0, twin = other?.find((one) => one.name === row.name);
    const all = other?.reduce((sum, one) => sum + one.visits, 0) || 1, apart = twin ? Math.abs(share - twin.visits / all) : 0;
    const cells = { visits: count(row.visits), prior: row.prior == null ? "" : percent(row.prior), "±": row.spread == null || !row.visits ? "" : (1.96 * row.spread / Math.sqrt(row.visits)).toFixed(2),
      proven: row.low == null ? "" : row.low === row.high ? signed(row.low, 0) : `${signed(row.low, 0)} … ${signed(row.high, 0)}`, other: twin ? percent(twin.visits / all) : "–" };
    let values = 0;
    columns.forEach(([name, kind], i) => {
      const cell = line.children[i];
      if (!i) return;
      set(cell, { class: kind + (name === "other" && apart > 0.15 ? " differs" : "") });
      if (kind === "share") {
        if (!cell.firstChild) cell.append(h("span", { class: "share-bar" }));
        cell.firstChild.style.width = percent(share).replace(" ", "");
        set(cell, { title: percent(share) });
      } else say(cell, name === "value" ? signed((values++ ? twin : row)?.value) : cells[name]);
    });
  }
}

customElements.define("ponder-moves", PonderMoves);
