// <ponder-spec-form>: the text of a game or an engine, and a form generated from parameters and docstrings. The two
// are always equal: each control rewrites the text, and a text that is typed fills the controls.
//
//   form.label = "Engine"; form.kinds = ["engine", "preset"]; form.more = [{ name, about, parameters }];
//   form.catalogue = answer.kinds;                     // of the message "catalogue"
//   form.text = "mcts(select=puct())";                 // fires "change" when a person changes it
import { h, say, set } from "../lib/dom.js";
import { argument, named, parseSpec, printSpec, withArgument } from "../lib/spec.js";

const firstLine = (text) => text.split("\n")[0];
let made = 0;

export class PonderSpecForm extends HTMLElement {
  /** @type {string|undefined} */
  label;
  /** @type {string[]|undefined} kinds of the catalogue that may stand there */
  kinds;
  /** @type {any[]|undefined} what may stand there besides */
  more;
  connectedCallback() {
    if (this.input) return;
    const id = `spec-${++made}`;
    this.input = h("input", { type: "text", id, spellcheck: "false", autocomplete: "off", class: "spec-text", "aria-describedby": `${id}-problem`, oninput: () => this.typed(), onchange: () => this.fire() });
    this.problem = h("p", { class: "small spec-problem", id: `${id}-problem`, role: "status" });
    this.body = h("div", { class: "spec-body" });
    this.details = h("details", { class: "spec-details" }, h("summary", { class: "small" }, "Parts and parameters"), this.body);
    this.append(h("label", { for: id, class: "spec-label" }, this.label ?? "Text"), this.input, this.problem, this.details);
    this.details.addEventListener("toggle", () => this.draw());
    this.kinds ??= ["engine", "preset"];
    this.more ??= [];
    if (this.waiting !== undefined) this.text = this.waiting;
  }

  get text() {
    return this.input?.value.trim() ?? this.waiting ?? "";
  }

  set text(value) {
    if (!this.input) { this.waiting = value; return; }
    this.input.value = value;
    this.read();
  }

  set catalogue(/** @type {Record<string, any[]>} */ kinds) {
    this.known = kinds;
    this.read();
  }

  /** All that the outermost name may be. */
  get choices() {
    return [...this.kinds.flatMap((kind) => this.known?.[kind] ?? []), ...this.more];
  }

  typed() {
    clearTimeout(this.later);
    this.later = setTimeout(() => { this.read(); this.fire(); }, 250);
  }

  fire() {
    if (this.text === this.told) return;
    this.told = this.text;
    this.dispatchEvent(new CustomEvent("change", { detail: this.text }));
  }

  read() {
    try {
      this.spec = parseSpec(this.text);
      say(this.problem, "");
    } catch (error) {
      this.spec = null;
      say(this.problem, error.message);
    }
    set(this.input, { "aria-invalid": this.spec ? null : "true" });
    this.draw();
  }

  /** Someone used a control: the text follows. */
  write(spec) {
    this.spec = spec;
    this.input.value = printSpec(spec);
    say(this.problem, "");
    this.fire();
    this.draw();
  }

  draw() {
    if (!this.details.open || !this.known) return;
    const focused = this.body.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.path : null;
    this.body.replaceChildren(this.spec
      ? this.call(this.spec, this.choices, "", (spec) => this.write(spec))
      : h("p", { class: "small soft" }, "The form follows when the text can be read."));
    if (focused) this.body.querySelector(`[data-path="${CSS.escape(focused)}"]`)?.focus();
  }

  /** The controls of one call: which, and its parameters. */
  call(spec, choices, path, change) {
    const about = choices.find((one) => one.name === spec.name);
    const pick = h("select", { "aria-label": path || this.label, "data-path": path || "name", onchange: () => change({ name: pick.value, args: [] }) },
      ...choices.map((one) => h("option", { value: one.name, selected: one.name === spec.name }, one.name.split("/").pop())),
      about ? null : h("option", { value: spec.name, selected: true }, spec.name));
    const box = h("div", { class: "spec-call" }, path ? null : h("div", { class: "spec-row" }, h("span", {}, this.label), pick));
    if (path) box.append(pick);
    if (!about) return box;
    box.append(h("p", { class: "small soft spec-about" }, firstLine(about.about)));
    if (about.about.includes("\n")) box.append(h("details", { class: "small soft" }, h("summary", {}, "more"), h("pre", {}, about.about)));
    const full = named(spec, Object.keys(about.parameters));
    for (const [name, standard] of Object.entries(this.parametersOf(about))) {
      box.append(this.row(full, name, standard, path ? `${path}.${name}` : name, change));
    }
    return box;
  }

  /** A preset takes the options of its engine as well. */
  parametersOf(about) {
    if (about.kind !== "preset") return about.parameters;
    const engine = this.known.engine?.find((one) => one.name === (about.name === "plain_alphabeta" ? "alphabeta" : "mcts"));
    const rest = Object.keys(engine?.parameters ?? {}).filter((name) => !(name in about.parameters));
    return { ...about.parameters, ...Object.fromEntries(rest.map((name) => [name, ""])) };
  }

  row(spec, name, standard, path, change) {
    const given = argument(spec, name), put = (value) => change(withArgument(spec, name, value));
    const id = `${this.input.id}-${path}`, parts = this.known[name];
    if (parts && name !== "engine") {
      const current = given === undefined ? standard : given;
      const inner = current ? (typeof current === "string" ? safely(current) : current) : null;
      if (inner) {
        return h("fieldset", { class: "spec-part" }, h("legend", { class: "small" }, name),
          this.call(inner, parts, path, (next) => put(same(next, standard) ? null : next)));
      }
      const pick = h("select", { id, "data-path": path, onchange: () => put({ name: pick.value, args: [] }) },
        h("option", { value: "" }, "as the preset has it"), ...parts.map((one) => h("option", {}, one.name)));
      return h("div", { class: "spec-row" }, h("label", { for: id }, name), pick);
    }
    const shown = given === undefined ? "" : typeof given === "string" ? given : printSpec(given);
    if (standard === "True" || standard === "False") {
      const box = h("input", { type: "checkbox", id, "data-path": path, onchange: () => put(String(box.checked) === standard.toLowerCase() ? null : box.checked ? "True" : "False") });
      box.checked = (shown || standard) === "True";
      return h("div", { class: "spec-row" }, h("label", { for: id }, name), box);
    }
    const field = h("input", { type: "text", id, "data-path": path, value: shown, placeholder: standard == null ? "needed" : standard || "–", spellcheck: "false",
      onchange: () => put(field.value.trim() && field.value.trim() !== standard ? field.value.trim() : null) });
    return h("div", { class: "spec-row" }, h("label", { for: id }, name), field);
  }
}

function safely(text) {
  try {
    return parseSpec(text);
  } catch {
    return null;
  }
}

const same = (spec, text) => text != null && printSpec(spec).replace(/\(\)$/, "") === text.replace(/\(\)$/, "");

customElements.define("ponder-spec-form", PonderSpecForm);
