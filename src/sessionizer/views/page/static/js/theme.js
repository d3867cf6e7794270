// @ts-check
/** Theme: auto follows the system, light and dark are kept. */

import { html, signal } from "./dom.js";
import { Icon } from "./icons.js";
import { readKept, writeKept } from "./kept.js";

const KEY = "asz.theme";
const ORDER = ["auto", "light", "dark"];
const system = window.matchMedia("(prefers-color-scheme: light)");
const kept = readKept(KEY) ?? "auto";
const chosen = signal(ORDER.includes(kept) ? kept : "auto");

function apply() {
  const theme = chosen.value === "auto" ? (system.matches ? "light" : "dark") : chosen.value;
  document.documentElement.dataset.theme = theme;
}

system.addEventListener("change", apply);

function choose(theme) {
  chosen.value = theme;
  writeKept(KEY, theme);
  apply();
}

/** Button that steps through auto, light and dark. */
export function ThemeToggle() {
  const next = ORDER[(ORDER.indexOf(chosen.value) + 1) % ORDER.length];
  const name = `Theme: ${chosen.value}. Switch to ${next}`;
  return html`<button
    type="button"
    class="icon-button theme"
    aria-label=${name}
    title=${name}
    onClick=${() => choose(next)}
  >
    <${Icon} name=${`theme-${chosen.value}`} />
  </button>`;
}
