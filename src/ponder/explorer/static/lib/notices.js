// Sentences across the top of a page: something that concerns all of it.
import { h } from "./dom.js";
import { sentence } from "./format.js";

/** Show a sentence, with a button if something can be done. A new one of the same kind replaces it. */
export function notice(kind, text, action, run) {
  clearNotice(kind);
  const box = h("div", { class: "notice", "data-kind": kind }, h("p", {}, sentence(text)));
  if (action) box.append(h("button", { type: "button", class: "primary", onclick: run }, action));
  box.append(h("button", { type: "button", class: "quiet", "aria-label": "Dismiss",
    onclick: () => box.remove() }, "✕"));
  document.getElementById("notices")?.append(box);
}

export function clearNotice(kind) {
  document.querySelector(`#notices [data-kind="${kind}"]`)?.remove();
}
