// What a page says when its connection or its worker is lost, and how it goes on.
import { clearNotice, notice } from "./notices.js";

/**
 * @param {EventTarget} connection it comes back by itself
 * @param {() => void} again goes on where the page stood
 * @param {() => boolean} opened does it stand somewhere? If not yet, it is loaded again: the address says what it shows
 */
export function tellOfLosses(connection, again, opened = () => true) {
  connection.addEventListener("down", () => notice("down", "The connection to Ponder was lost; trying again …"));
  connection.addEventListener("up", () => clearNotice("down"));
  connection.addEventListener("told", (event) => {
    const { told, error } = /** @type {CustomEvent} */ (event).detail;
    if (told === "lost") {
      notice("lost", error, opened() ? "Go on from here" : "Try again", () => {
        clearNotice("lost");
        if (opened()) again();
        else location.reload();
      });
    }
  });
}
