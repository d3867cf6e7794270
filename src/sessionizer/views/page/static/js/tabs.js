// @ts-check
/** Tabs: one tab stop, arrows move, the panel is named by its tab. */

import { html } from "./dom.js";

/** Moves the focus inside a set of buttons with the arrow keys, Home and End. */
export function moveWithArrows(event, selector) {
  const all = /** @type {HTMLElement[]} */ ([...event.currentTarget.querySelectorAll(selector)]);
  const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (at < 0) return;
  const steps = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
  const to = steps[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const target = all[(to + all.length) % all.length];
  target.focus();
  target.click();
}

/**
 * @param {{name: string, label: string, chosen: string, choose: (key: string) => void,
 *   tabs: {key: string, word: any, count?: number | string}[]}} props
 */
export function Tabs({ name, label, chosen, choose, tabs }) {
  return html`<div class="tabs" role="tablist" aria-label=${label} onKeyDown=${(event) => moveWithArrows(event, '[role="tab"]')}>
    ${tabs.map(
      ({ key, word, count: number }) => html`<button
        key=${key}
        type="button"
        role="tab"
        id=${`${name}-tab-${key}`}
        aria-controls=${`${name}-panel`}
        aria-selected=${String(key === chosen)}
        tabindex=${key === chosen ? 0 : -1}
        onClick=${() => choose(key)}
      >
        ${word}${number !== undefined && html`<small>${number}</small>`}
      </button>`,
    )}
  </div>`;
}

/** Attributes of the panel that the tabs called `name` control. */
export const panelOf = (name, chosen) => ({
  id: `${name}-panel`,
  role: "tabpanel",
  "aria-labelledby": `${name}-tab-${chosen}`,
});

/**
 * One of few, as radio buttons in a row.
 * @param {{label: string, options: {key: string, word: string}[], chosen: string, choose: (key: string) => void}} props
 */
export function Choice({ label, options, chosen, choose }) {
  return html`<div class="choice" role="radiogroup" aria-label=${label} onKeyDown=${(event) => moveWithArrows(event, '[role="radio"]')}>
    ${options.map(
      ({ key, word }) => html`<button
        key=${key}
        type="button"
        role="radio"
        aria-checked=${String(key === chosen)}
        tabindex=${key === chosen ? 0 : -1}
        onClick=${() => choose(key)}
      >
        ${word}
      </button>`,
    )}
  </div>`;
}
