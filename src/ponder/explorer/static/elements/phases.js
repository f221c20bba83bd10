// <ponder-phases>: one simulation, phase by phase: selection, expansion, evaluation, backup.
//
//   phases.show(answer);      // the answer to the message "phases"
//
// Fires "step" {path, moves, kind} for what is shown: the way by name, and the moves of a random game after it.
import { h, say, set } from "../lib/dom.js";
import { plural, signed } from "../lib/format.js";

const PHASES = [["selected", "Select"], ["expanded", "Expand"], ["evaluated", "Evaluate"], ["backed_up", "Back up"]];

export class PonderPhases extends HTMLElement {
  connectedCallback() {
    if (this.text) return;
    this.tabs = h("ol", { class: "phase-names" }, PHASES.map(([kind, name]) => h("li", { "data-phase": kind }, name)));
    this.back = h("button", { type: "button", onclick: () => this.go(this.at - 1) }, "◀ Before");
    this.next = h("button", { type: "button", class: "primary", onclick: () => this.go(this.at + 1) }, "Next ▶");
    this.text = h("p", { class: "phase-text", role: "status" });
    this.table = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "What the rule compares" });
    this.append(this.tabs, this.text, this.table, h("div", { class: "phase-buttons" }, this.back, this.next));
    this.hidden = true;
  }

  /** @param {any} answer @param {(player: number) => string} side what a player is called */
  show(answer, side) {
    this.answer = answer;
    this.side = side;
    this.hidden = false;
    this.go(0);
  }

  go(at) {
    const { events } = this.answer;
    this.at = Math.max(0, Math.min(events.length - 1, at));
    const event = events[this.at];
    for (const tab of this.tabs.children) set(tab, { "aria-current": tab.dataset.phase === event.kind ? "step" : null });
    this.back.disabled = this.at === 0;
    this.next.disabled = this.at === events.length - 1;
    say(this.text, `${this.at + 1} of ${events.length}. ${this.sentence(event)}`);
    this.table.replaceChildren(...(event.candidates ? [this.candidates(event)] : []));
    this.dispatchEvent(new CustomEvent("step", { detail: { kind: event.kind, path: event.path, moves: event.moves ?? [] } }));
  }

  sentence(event) {
    const where = event.path.length ? event.path.join(" ") : "the root", last = event.path[event.path.length - 1];
    if (event.kind === "selected") {
      const who = event.player < 0 ? "The dice say" : `${this.side(event.player)} takes`;
      return `${who} ${last}${event.path.length > 1 ? ` after ${event.path.slice(0, -1).join(" ")}` : ""}, which had ${plural(event.visits, "visit")}.`;
    }
    if (event.kind === "expanded") return `The tree grows at ${where}: ${plural(event.added, "node")} more.`;
    if (event.kind === "evaluated") {
      const values = event.values.map((value, player) => `${signed(value)} for ${this.side(player)}`).join(", ");
      const how = event.moves?.length ? ` A game from there goes ${event.moves.slice(0, 12).join(" ")}${event.moves.length > 12 ? " …" : ""}.` : "";
      return `${where} is worth ${values}${event.settled ? ", which is proven" : ""}.${how}`;
    }
    if (event.kind === "backed_up") return `${where} now has ${plural(event.visits, "visit")} and value ${signed(event.value, 3)} for whoever chose it.`;
    return `Switched: ${Object.entries(event).filter(([key]) => !["moment", "kind", "path"].includes(key)).map(([kind, part]) => `${kind}=${part}`).join(", ")}.`;
  }

  candidates(event) {
    const terms = [...new Set(event.candidates.flatMap((one) => Object.keys(one.terms)))], chosen = event.path[event.path.length - 1];
    const number = (value) => h("td", { class: "number" }, value == null ? "" : value.toFixed(3).replace("-", "−"));
    return h("table", {}, h("thead", {}, h("tr", {}, ["move", "n", ...terms, "score"].map((name, i) => h("th", { scope: "col", class: i ? "number" : "" }, name)))),
      h("tbody", {}, event.candidates.slice(0, 12).map((one) => h("tr", { class: one.name === chosen ? "is-best" : one.closed ? "closed" : "" },
        h("th", { scope: "row" }, one.name, one.remark ? h("span", { class: "remark" }, ` ${one.remark}`) : null), h("td", { class: "number" }, one.visits),
        terms.map((name) => number(one.terms[name])), number(one.score)))));
  }
}

customElements.define("ponder-phases", PonderPhases);
