// @ts-check
/** A change as lines with both numbers. */

import { html } from "../dom.js";
import { useRemembered } from "../remembered.js";
import { count, plural } from "../sizes.js";
import { visible } from "../visible_text.js";

/** Lines shown before the foot. */
const FIRST_LINES = 24;
const LINES_A_PAGE = 200;

const SIGNS = { add: "+", del: "−", same: "", hunk: "" };
const WORDS = { add: "added ", del: "removed ", same: "", hunk: "" };

function Code({ line }) {
  if (line.from === undefined || line.from >= line.to) return visible(line.text);
  return html`${visible(line.text.slice(0, line.from))}<em>${visible(line.text.slice(line.from, line.to))}</em>${visible(
    line.text.slice(line.to),
  )}`;
}

/** @param {{id: string, lines: import("./diff_lines.js").DiffLine[]}} props */
export function Diff({ id, lines }) {
  const [shown, setShown] = useRemembered(`diff:${id}`, FIRST_LINES);
  const hasNumbers = lines.some((line) => line.old !== undefined || line.new !== undefined);
  return html`<div class="clipped">
    <div class=${`diff ${hasNumbers ? "" : "without-numbers"}`} tabindex="0" role="group" aria-label="Changed lines">
      <div class="diff-lines">
        ${lines.slice(0, shown).map((line, at) =>
          line.type === "hunk"
            ? html`<div key=${at} class="hunk">${visible(line.text)}</div>`
            : html`<div key=${at} class=${line.type}>
                ${hasNumbers && html`<i>${line.old ?? ""}</i><i>${line.new ?? ""}</i>`}
                <b><span aria-hidden="true">${SIGNS[line.type]}</span><span class="only-read">${WORDS[line.type]}</span></b>
                <code class="from-data" dir="auto"><${Code} line=${line} /></code>
              </div>`,
        )}
      </div>
    </div>
    ${lines.length > FIRST_LINES &&
    html`<div class="clip-foot">
      <span class="figures">${count(Math.min(shown, lines.length))} of ${plural(lines.length, "line")}</span>
      <span class="grow" />
      ${shown < lines.length &&
      html`<button type="button" class="link" onClick=${() => setShown(shown + LINES_A_PAGE)}>
        ${lines.length - shown > LINES_A_PAGE ? `Show ${LINES_A_PAGE} more` : "Show all"}
      </button>`}
      ${shown > FIRST_LINES && html`<button type="button" class="link" onClick=${() => setShown(FIRST_LINES)}>Show less</button>`}
    </div>`}
  </div>`;
}
