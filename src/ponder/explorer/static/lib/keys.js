// The keyboard: pages name their keys here, `?` lists them.
import { h } from "./dom.js";

/** @type {Map<string, {does: string, run: (event: KeyboardEvent) => void}>} */
const keys = new Map();
const SHOWN = { " ": "Space", ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓" };

/** Run something when a key is pressed outside of text fields; `does` stands in the list. */
export function onKey(key, does, run) {
  keys.set(key, { does, run });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const at = event.target instanceof Element ? event.target : document.body;
  if (at.closest("input:not([type=range]):not([type=radio]), textarea, select, dialog")) return;
  // a focused control has its own use for these
  if (event.key === " " && at.closest("button, a, summary, [role=button], input")) return;
  if (event.key.startsWith("Arrow") && at.closest("input, [role=slider], [role=tab], [role=tree]")) return;
  const found = keys.get(event.key);
  if (!found) return;
  event.preventDefault();
  found.run(event);
});

/** The list of keys, as a dialog. */
export function showKeys() {
  if (document.querySelector("dialog.keys")) return;
  const rows = [...keys].map(([key, { does }]) =>
    h("tr", {}, h("td", {}, h("kbd", {}, SHOWN[key] ?? key)), h("td", {}, does)));
  rows.push(h("tr", {}, h("td", {}, h("kbd", {}, "Tab")), h("td", {}, "To the next control")));
  const dialog = h("dialog", { class: "keys", "aria-labelledby": "keys-title" },
    h("h2", { id: "keys-title" }, "Keys"), h("table", {}, h("tbody", {}, rows)),
    h("form", { method: "dialog" }, h("button", { class: "primary", autofocus: true }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
