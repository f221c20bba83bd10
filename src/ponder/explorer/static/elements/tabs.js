// <ponder-tabs>: one of several texts at a time; arrow keys go from tab to tab.
//
//   tabs.show([{key, name, content: Node}], label)
import { h, set } from "../lib/dom.js";

export class PonderTabs extends HTMLElement {
  show(entries, label) {
    const list = h("div", { role: "tablist", "aria-label": label });
    const panel = h("div", { role: "tabpanel", tabindex: 0, id: "tab-panel" });
    const tabs = entries.map((entry) => h("button", { type: "button", role: "tab", id: `tab-${entry.key}`,
      "aria-controls": "tab-panel", onclick: () => pick(entry) }, entry.name));
    const pick = (entry) => {
      tabs.forEach((tab, i) => set(tab, { "aria-selected": String(entries[i] === entry), tabindex: entries[i] === entry ? 0 : -1 }));
      set(panel, { "aria-labelledby": `tab-${entry.key}` });
      panel.replaceChildren(entry.content);
    };
    list.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const next = (tabs.indexOf(/** @type {any} */ (document.activeElement)) + by + tabs.length) % tabs.length;
      pick(entries[next]);
      tabs[next].focus();
    });
    list.append(...tabs);
    this.replaceChildren(list, panel);
    pick(entries[0]);
  }
}

customElements.define("ponder-tabs", PonderTabs);
