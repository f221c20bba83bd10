// <ponder-events>: what a classical search did, node by node: windows, cuts, what the table knew, depth after depth.
//
//   list.show(answer);     // the answer to the message "events"
//
// Fires "pick" {moment, path} for the event that was clicked, "look" {path} (or null) while it is pointed at.
import { h } from "../lib/dom.js";
import { count, plural, signed } from "../lib/format.js";

const REASONS = {
  window: "outside the window: somebody above has something better", table: "the table settles it", "null move": "even passing is good enough",
  star1: "whatever the other outcomes are worth, the average lies outside the window", star2: "one move after each outcome has shown it",
  shallow: "the player above gets too little here", "best possible": "nothing is better than this",
};

export class PonderEvents extends HTMLElement {
  connectedCallback() {
    if (this.list) return;
    this.about = h("p", { class: "small soft" });
    this.list = h("ol", { class: "event-list", tabindex: 0, "aria-label": "Events of the search" });
    this.append(this.about, this.list);
  }

  show(answer) {
    const { events } = answer, cuts = events.filter((one) => one.kind === "cut"), hits = events.filter((one) => one.kind === "table");
    const depths = [...new Set(events.filter((one) => one.kind === "enter" && !one.path.length).map((one) => one.depth))];
    this.about.textContent = `${plural(events.length, "event")} up to node ${count(answer.moment)}: ${plural(cuts.length, "cut")}, ${plural(hits.length, "table hit")}${depths.length ? `; begins depth ${depths.join(", ")}` : ""}.`;
    this.list.replaceChildren(...events.map((one) => this.line(one)));
    this.list.scrollTop = this.list.scrollHeight;
  }

  line(event) {
    const tell = (word, detail) => this.dispatchEvent(new CustomEvent(word, { detail }));
    return h("li", { "data-kind": event.kind, style: `--ply: ${event.path.length}` },
      h("button", { type: "button", class: "quiet", onclick: () => tell("pick", event), onfocus: () => tell("look", event), onblur: () => tell("look", null),
        onpointerenter: () => tell("look", event), onpointerleave: () => tell("look", null) },
        h("span", { class: "when" }, count(event.moment)), h("span", {}, this.sentence(event))));
  }

  sentence(event) {
    const name = event.path[event.path.length - 1] ?? "root", window = `[${event.alpha == null ? "−∞" : signed(event.alpha)}, ${event.beta == null ? "+∞" : signed(event.beta)}]`;
    const worth = (value) => (event.values ? `(${event.values.map((one) => signed(one)).join(", ")})` : signed(value));
    if (event.kind === "enter") {
      const chance = event.probability == null ? "" : `, chance ${event.probability.toFixed(2)}`;
      return `${name}${event.path.length ? "" : `: depth ${event.depth}`} ${event.values || event.alpha === undefined && event.beta === undefined ? "" : window}${chance}`;
    }
    if (event.kind === "cut") return `cut${event.move ? ` after ${event.move}` : ""} ${worth(event.value)} ${window}: ${REASONS[event.reason] ?? event.reason}`;
    if (event.kind === "table") return `known from the table: ${event.low === event.high ? signed(event.low) : `${event.low == null ? "−∞" : signed(event.low)} to ${event.high == null ? "+∞" : signed(event.high)}`}`;
    if (event.kind === "best") return `best so far: ${event.move} ${worth(event.value)}`;
    return `${name} is worth ${event.bound === "lower" ? "≥ " : event.bound === "upper" ? "≤ " : ""}${worth(event.value)}`;
  }
}

customElements.define("ponder-events", PonderEvents);
