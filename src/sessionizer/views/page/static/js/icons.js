// @ts-check
/** Icons on a 16 px grid. An icon never stands without a word or an accessible name. */

import { html } from "./dom.js";

/** Stroked paths by name. @type {Record<string, string>} */
const PATHS = {
  terminal: "M2.5 4l3.5 4-3.5 4M8 12h5.5",
  edit: "M3 13l.7-3L10.8 2.9a1.2 1.2 0 0 1 1.7 0l.6.6a1.2 1.2 0 0 1 0 1.7L6 12.3zM9.5 4.2l2.3 2.3",
  file: "M4 1.8h5l3 3v9.4H4zM8.8 2v3h3M6 8h4M6 10.7h4",
  question: "M5.6 6a2.4 2.4 0 1 1 3.5 2.1c-.8.4-1.1.8-1.1 1.6M8 12.4v.1",
  agent: "M4 2v5.5a2 2 0 0 0 2 2h6.5M9.8 6.7l2.8 2.8-2.8 2.8",
  workflow: "M3 8h4M7 3.5v9M7 3.5h6M7 8h6M7 12.5h6",
  background: "M13.5 8A5.5 5.5 0 1 1 8 2.5M8 5v3.2l2.2 1.3M10.8 2.2l2.6.9-.9 2.6",
  thinking: "M3.5 8h.1M8 8h.1M12.5 8h.1",
  injected: "M8 2v7.5M5 6.8L8 9.7l3-2.9M2.8 12.8h10.4",
  person: "M8 7.4a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2M2.9 14c.3-2.7 2.4-4.3 5.1-4.3s4.8 1.6 5.1 4.3",
  reply: "M2.5 3.2h11v7.6H7.2L4 13.6v-2.8H2.5z",
  unresolved: "M2 8h4M8.2 8a2.4 2.4 0 1 0 4.8 0 2.4 2.4 0 0 0-4.8 0",
  model: "M8 2.2l1.5 4.3L13.8 8l-4.3 1.5L8 13.8 6.5 9.5 2.2 8l4.3-1.5z",
  reset: "M2.5 8h11M5 4.5L2.5 8 5 11.5M11 4.5L13.5 8 11 11.5",
  clock: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3.3l2.2 1.2",
  search: "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4M10.2 10.2l3.3 3.3",
  down: "M4 6.2l4 4 4-4",
  right: "M6.2 4l4 4-4 4",
  up: "M4 9.8l4-4 4 4",
  cross: "M4 4l8 8M12 4l-8 8",
  tick: "M3 8.5l3.2 3.2L13 4.8",
  arrowDown: "M8 2.5v10.8M3.8 9.2L8 13.4l4.2-4.2",
  arrowUp: "M8 13.5V2.7M3.8 6.8L8 2.6l4.2 4.2",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  anchor: "M6.5 9.5l3-3M7 4.6l1.3-1.3a2.6 2.6 0 0 1 3.7 0l.7.7a2.6 2.6 0 0 1 0 3.7L11.4 9M9 11.4l-1.3 1.3a2.6 2.6 0 0 1-3.7 0l-.7-.7a2.6 2.6 0 0 1 0-3.7L4.6 7",
  list: "M2.5 4h11M2.5 8h11M2.5 12h7",
  warn: "M8 2.4l6 11H2zM8 6.4v3.4M8 11.6v.1",
  half: "M8 3v10",
  "theme-light": "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  "theme-dark": "M13.2 9.4A5.6 5.6 0 0 1 6.6 2.8a5.6 5.6 0 1 0 6.6 6.6z",
};

/** @param {{name: string, small?: boolean, label?: string}} props */
export function Icon({ name, small = false, label = "" }) {
  const className = small ? "icon small" : "icon";
  if (name === "theme-auto" || name === "started") {
    return html`<svg class=${className} viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
    </svg>`;
  }
  if (name === "waiting") {
    return html`<svg class=${className} viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="5.5" />
    </svg>`;
  }
  return html`<svg
    class=${className}
    viewBox="0 0 16 16"
    aria-hidden=${label ? undefined : "true"}
    role=${label ? "img" : undefined}
    aria-label=${label || undefined}
  >
    <path d=${PATHS[name] ?? PATHS.thinking} />
  </svg>`;
}

/** The mark of the product: three streams that leave one line. */
export function Mark() {
  return html`<svg class="icon mark" viewBox="0 0 20 20" aria-hidden="true">
    <path class="mark-main" d="M2 4.5h14" />
    <path class="mark-child" d="M5 4.5v6.5h8" />
    <path class="mark-tool" d="M10 11v5h7" />
    <circle class="mark-end" cx="17" cy="4.5" r="1.3" />
  </svg>`;
}
