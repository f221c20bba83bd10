// <ponder-source-map>: what the sources say, heading by heading, and what they say of a question.
//
//   map.show(answer);   // the answer to the message "sources"; fires "ask" with {question}
import { h, say } from "../lib/dom.js";
import { plural } from "../lib/format.js";

export class PonderSourceMap extends HTMLElement {
  connectedCallback() {
    if (this.body) return;
    this.input = h("input", { type: "text", id: "source-question", maxlength: 400, placeholder: "beam search" });
    this.note = h("p", { class: "small", role: "status" });
    this.body = h("div", {});
    const ask = (event) => {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("ask", { detail: { question: this.input.value } }));
    };
    this.append(h("form", { role: "search", onsubmit: ask }, h("label", { for: "source-question" }, "What do they say of"), this.input,
      h("button", { type: "submit" }, "Find")), this.note, this.body);
  }

  show(answer) {
    const { sources, statements, missing, partial } = answer, asked = this.input.value.trim() !== "";
    const told = [missing.length ? `No statement has ${missing.join(", ")}.` : "", partial ? "No statement has all the words; these have the most telling of them." : ""];
    this.say(told.filter(Boolean).join(" "));
    if (asked) return this.body.replaceChildren(h("ol", {}, statements.map((one) => statement(one, titled(sources, one)))));
    this.body.replaceChildren(...sources.map((source) => {
      const own = statements.filter((one) => one.source === source.key), headings = [...new Set(own.map((one) => one.heading))];
      return h("details", { "data-source": source.key }, h("summary", {}, h("strong", {}, source.title), ` ${source.by}, ${plural(own.length, "statement")}`),
        headings.map((heading) => {
          const below = own.filter((one) => one.heading === heading);
          return h("details", { "data-heading": heading }, h("summary", {}, heading), h("ol", {}, below.map((one) => statement(one, ""))));
        }));
    }));
  }

  /** A sentence in place of what was found. */
  complain(text) {
    this.say(text);
    this.body.replaceChildren();
  }

  say(text) {
    say(this.note, text);
  }
}

function titled(sources, one) {
  return `${sources.find((source) => source.key === one.source).title}, ${one.heading}, `;
}

/** One statement: what it says, whether it is here, and how to see it. */
function statement(one, where) {
  return h("li", { "data-number": one.number, "data-state": one.state },
    h("span", { class: "small soft" }, `${one.number} · ${where}line ${one.line} · ${one.state}`),
    h("span", {}, one.statement),
    one.reason ? h("span", { class: "small" }, one.reason) : null,
    one.command.split("\n").filter(Boolean).map((line) => h("code", { class: "small" }, line)),
    one.where.length ? h("span", { class: "small soft" }, one.where.join(", ")) : null);
}

customElements.define("ponder-source-map", PonderSourceMap);
