// The dialogs of the Play page: a new game; a game read from a text or a file; a game written.
import { Refused } from "../lib/connection.js";
import { h, say } from "../lib/dom.js";
import { sentence } from "../lib/format.js";
import { CLOCKS, LEVELS, YOU, sideOf } from "./play-choices.js";
import { chosenEngine, engineField, field, gameField } from "./play-fields.js";

const MOST_BYTES = 400_000;

function dialog(title, ...content) {
  const id = `dialog-${title.replace(/\W+/g, "-").toLowerCase()}`;
  const box = h("dialog", { class: "play-dialog", "aria-labelledby": id }, h("h2", { id }, title), ...content);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/**
 * @param {import("../lib/game-address.js").Setup} now
 * @param {(game: string) => Promise<any>} look the start of a game, as "table" answers
 * @param {(setup: any) => Promise<void>} begin refused: the sentence is shown in the dialog
 */
export function askForGame(now, look, begin) {
  const wanted = gameField(now.game, (game) => seatsOf(game));
  const seats = h("fieldset", { class: "seats" });
  const clock = h("select", {}, CLOCKS.map((one) => h("option", { value: one.text, selected: one.text === now.clock }, one.name)));
  const seed = h("input", { type: "number", min: 0, max: 4294967295, step: 1, value: Math.floor(Math.random() * 1e6) });
  const teach = h("input", { type: "checkbox", checked: now.teach });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const start = h("button", { type: "submit", class: "primary" }, "Start");
  const box = dialog("New game", h("form", { class: "play-form", onsubmit: submit },
    wanted.fields, seats, field("Clock", clock),
    h("label", { class: "check" }, teach, h("span", {}, "Teach me: say so before a mistake is final")),
    field("Seed", seed, h("span", { class: "small soft" }, "decides the dice and the engines")), wrong,
    h("div", { class: "form-end" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel"), start)));
  let asked = 0;
  seatsOf(wanted.value);

  async function seatsOf(game) {
    const mine = ++asked;
    say(wrong, "");
    try {
      const found = await look(game);
      if (mine === asked) offerSeats(game, found.players);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (mine === asked) say(wrong, sentence(error.message));
    }
  }

  function offerSeats(game, players) {
    const old = [...seats.querySelectorAll(".engine-field")].map(chosenEngine);
    seats.replaceChildren(h("legend", {}, players === 1 ? "Who plays" : "Seats"), ...Array.from({ length: players }, (_, seat) => {
      const value = old[seat] ?? now.seats[seat] ?? (seat ? LEVELS[2].text : YOU);
      return engineField(sideOf(game, seat).name, value, true);
    }));
  }

  async function submit(event) {
    event.preventDefault();
    start.disabled = true;
    say(wrong, "");
    const chosen = [...seats.querySelectorAll(".engine-field")].map(chosenEngine);
    try {
      await begin({ game: wanted.value, position: "", seats: chosen, seed: Math.floor(Number(seed.value)) || 0, moves: [], clock: clock.value, teach: teach.checked, end: "" });
      box.close();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(wrong, sentence(error.message));
    }
    start.disabled = false;
  }
}

/**
 * @param {(text: string) => Promise<void>} read refused: the sentence is shown in the dialog
 */
export function askForText(read) {
  const text = h("textarea", { rows: 10, spellcheck: "false", "aria-label": "The game as a text",
    placeholder: "Moves, a position, a FEN, a PGN, an SGF or a saved game" });
  const file = h("input", { type: "file", accept: ".pgn,.sgf,.fen,.json,.txt", "aria-label": "Or a file", onchange: () => take(file.files[0]) });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const box = dialog("Load a game", h("form", { class: "play-form", onsubmit: submit },
    h("p", { class: "soft" }, "Paste it, drop a file here, or choose one. Moves are of the game that is on the board."),
    text, file, wrong,
    h("div", { class: "form-end" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Cancel"),
      h("button", { type: "submit", class: "primary" }, "Load"))));
  box.addEventListener("dragover", (event) => event.preventDefault());
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
  text.focus();

  async function take(chosen) {
    if (!chosen) return;
    if (chosen.size > MOST_BYTES) say(wrong, `${chosen.name} is too large for one game: at most ${MOST_BYTES.toLocaleString("en")} bytes.`);
    else text.value = await chosen.text();
  }

  async function submit(event) {
    event.preventDefault();
    say(wrong, "");
    try {
      await read(text.value);
      box.close();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(wrong, sentence(error.message));
    }
  }
}

const FORM_NAMES = {
  pgn: ["PGN", "pgn"], sgf: ["SGF", "sgf"], position: ["Position", "txt"], moves: ["Moves", "txt"], json: ["Saved game", "json"],
};

/** @param {(form: string) => Promise<{text: string, forms: string[]}>} write */
export async function offerText(write) {
  const { forms } = await write("json");
  const text = h("textarea", { rows: 10, readonly: true, "aria-label": "The game as a text" });
  const form = h("select", { onchange: show }, forms.map((one) => h("option", { value: one }, FORM_NAMES[one][0])));
  const wrong = h("p", { class: "wrong", role: "status" });
  const link = h("a", { class: "button primary" }, "Save as a file");
  const box = dialog("Save the game", h("div", { class: "play-form" }, field("As", form), text, wrong,
    h("div", { class: "form-end" }, h("button", { type: "button", class: "quiet", onclick: () => box.close() }, "Close"),
      h("button", { type: "button", onclick: copy }, "Copy"), link)));
  await show();

  async function show() {
    text.value = (await write(form.value)).text;
    say(wrong, "");
    link.href = `data:text/plain;charset=utf-8,${encodeURIComponent(text.value)}`;
    link.download = `game.${FORM_NAMES[form.value][1]}`;
  }

  async function copy() {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      say(wrong, "Copied.");
    } catch {
      say(wrong, "The browser keeps the clipboard to itself: press Ctrl+C.");
    }
  }
}
