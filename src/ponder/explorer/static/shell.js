// What every page has: the theme button and the list of keys.
import { showKeys, onKey } from "./lib/keys.js";

const root = document.documentElement;
document.getElementById("theme")?.addEventListener("click", () => {
  const next = root.dataset.theme === "dark" ? "light" : "dark";
  root.dataset.theme = next;
  localStorage.setItem("ponder-theme", next);
});
document.getElementById("show-keys")?.addEventListener("click", showKeys);
document.querySelector(".bar nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" }); // on a narrow screen
onKey("?", "Show these keys", showKeys);
