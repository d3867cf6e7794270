// @ts-check
/** One row of the transcript: time in the gutter, icon on the rail, content. */

import { html } from "../dom.js";
import { Icon } from "../icons.js";
import { Time } from "../times.js";

/**
 * @param {{accent: string, icon: string, at?: number, class?: string, selected?: boolean,
 *   select?: () => void, children?: any}} props `at` left out: no time stands in the gutter.
 */
export function Row({ accent, icon, at, class: className = "", selected = false, select, children }) {
  const names = `row a-${accent} ${className} ${selected ? "selected" : ""}`;
  const pick = (event) => {
    const isControl = event.target.closest("button, a, summary, input, .nested");
    const isMarked = String(window.getSelection() ?? "").length > 0;
    if (select && !isControl && !isMarked) select();
  };
  return html`<div class=${names} onClick=${pick}>
    ${at === undefined ? html`<span class="gutter" />` : html`<${Time} ms=${at} class="gutter" />`}
    <span class="rail"><${Icon} name=${icon} /></span>
    <div class="content">${children}</div>
  </div>`;
}
