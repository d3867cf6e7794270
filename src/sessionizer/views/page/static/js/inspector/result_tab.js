// @ts-check
/** The whole result of a tool or of a child. */

import { html } from "../dom.js";
import { stateWords } from "../kinds.js";
import { missingResult } from "../steps/tool_meta.js";
import { wholeResult } from "../whole_text.js";
import { Loaded } from "./loaded.js";
import { PagedText } from "./paged_text.js";

/** @param {{step: import("../shapes.js").TreeNode}} props */
export function ResultTab({ step }) {
  if (!step.result && step.attrs?.result !== "available") {
    const reason = missingResult(step) || stateWords(step.result_state);
    return html`<p class="inspector-part muted">${reason || "This step has no result of its own."}</p>`;
  }
  return html`<${Loaded}
    key_=${step.id}
    what="the result"
    load=${() => wholeResult(step)}
    show=${(text) => (text ? html`<${PagedText} key=${step.id} text=${text} what="result" />` : html`<p class="inspector-part muted">The result is empty.</p>`)}
  />`;
}
