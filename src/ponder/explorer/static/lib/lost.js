// What a page says when its connection or its worker is lost, and how it goes on.
import { clearNotice, notice } from "./notices.js";

/** @param {() => void} again goes on where the page stood; the connection itself comes back by itself */
export function tellOfLosses(/** @type {EventTarget} */ connection, again) {
  connection.addEventListener("down", () => notice("down", "The connection to Ponder was lost; trying again …"));
  connection.addEventListener("up", () => clearNotice("down"));
  connection.addEventListener("told", (event) => {
    const { told, error } = /** @type {CustomEvent} */ (event).detail;
    if (told === "lost") {
      notice("lost", error, "Go on from here", () => {
        clearNotice("lost");
        again();
      });
    }
  });
}
