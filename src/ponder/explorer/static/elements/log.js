// <ponder-log>: what has happened, in order; a click goes back to it.
//
//   log.show([{moment, text, mood, after}], now);   fires "pick" with the entry
import { h, set } from "../lib/dom.js";
import { count } from "../lib/format.js";

export class PonderLog extends HTMLElement {
  /** @type {any} */
  list;
  show(entries, now) {
    this.list ??= this.appendChild(h("ol"));
    const key = (entry) => `${entry.moment}|${entry.text}`;
    // only what is new is made: entries keep their focus, and nothing flickers
    let same = 0;
    while (same < entries.length && this.keys?.[same] === key(entries[same])) same++;
    while (this.list.children.length > same) this.list.lastChild.remove();
    this.entries = entries;
    for (let i = same; i < entries.length; i++) {
      const entry = entries[i];
      this.list.append(h("li", { "data-mood": entry.mood ?? "none" },
        h("button", { type: "button", class: "quiet", onclick: () => this.dispatchEvent(new CustomEvent("pick", { detail: this.entries[i] })) },
          h("span", { class: "when" }, entry.moment == null ? "" : count(entry.moment)), h("span", {}, entry.text))));
    }
    this.keys = entries.map(key);
    /** @type {any} */
    let last = null;
    entries.forEach((entry, i) => {
      const past = entry.moment == null || entry.moment <= now;
      set(this.list.children[i], { class: past ? "" : "ahead" });
      if (past && entry.moment != null) last = this.list.children[i];
    });
    for (const item of this.list.children) set(item.firstChild, { "aria-current": item === last ? "step" : null });
    if (last && last !== this.shown && !this.matches(":hover, :focus-within")) {
      this.list.scrollTop = last.offsetTop - this.list.offsetTop - this.list.clientHeight + last.offsetHeight + 8;
    }
    this.shown = last;
  }
}

customElements.define("ponder-log", PonderLog);
