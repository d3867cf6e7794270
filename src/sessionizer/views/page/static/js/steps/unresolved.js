// @ts-check
/** An open reference: what is named, why it is not found, and where it is named if that is known. */

import { html } from "../dom.js";
import { goToReference } from "../references.js";
import { Quality } from "../quality.js";
import { visible } from "../visible_text.js";

/** What each kind of open entry names. @type {Record<string, string>} */
const NAMED = {
  tool_use: "call",
  tool_result: "result of",
  child_stream: "child",
  spawn_call: "call",
  spawn_of_child: "stream",
  epoch_continuation: "record",
  notified_child: "child",
};

/** @param {{entry: import("../shapes.js").OpenEntry}} props */
export function Unresolved({ entry }) {
  return html`<section class="unresolved-box">
    <h3>Unresolved reference <code class="from-data">${visible(`${NAMED[entry.kind] ?? entry.kind} ${entry.ref}`)}</code><${Quality} quality="unresolved" /></h3>
    <p>
      <span class="from-data">${visible(entry.reason)}.</span>${" "}
      ${entry.id && html`<button type="button" class="link" onClick=${() => goToReference(entry.id ?? "")}>Show it</button>`}
    </p>
  </section>`;
}
