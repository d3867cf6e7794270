// @ts-check
/** State, size and time at the right end of a tool's head: what is sure is grey, doubt is loud. */

import { html } from "../dom.js";
import { stateWords } from "../kinds.js";
import { Quality } from "../quality.js";
import { duration } from "../times.js";
import { exitCodeOf, isRefusal } from "../agent_words.js";
import { Bad } from "./card.js";

/** @typedef {import("../shapes.js").TreeNode} TreeNode */

/** Why there is no result, or empty when there is one. */
export function missingResult(step) {
  const join = step.attrs?.result_join;
  if (join === "exact_ambiguous") return "Several results carry this call's id. None is picked.";
  if (step.attrs?.result === "unavailable") return "No result landed for this call.";
  return "";
}

/** Whether a result landed that holds no text. */
export const isEmptyResult = (step) => step.attrs?.result === "available" && !step.result;

/** @param {{step: TreeNode}} props */
export function ToolState({ step }) {
  if (step.structured?.interrupted === true) return html`<${Bad}>interrupted<//>`;
  if (step.failed) {
    if (isRefusal(step.result)) return html`<${Bad}>refused by the person<//>`;
    const code = exitCodeOf(step.result);
    return html`<${Bad}>${code === undefined ? "failed" : `failed, exit ${code}`}<//>`;
  }
  if (step.attrs?.result_join === "exact_ambiguous") return html`<${Quality} quality="exact_ambiguous" dense />`;
  if (missingResult(step)) return html`<span class="doubt">no result</span>`;
  const words = stateWords(step.state) || stateWords(step.result_state);
  return words ? html`<span class="doubt">[${words}]</span>` : null;
}

/** The measured time, else the distance of the two records, which is not the same. */
export function ToolTime({ step }) {
  if (step.duration_ms !== undefined) {
    return html`<span title="Measured by the runtime.">${duration(step.duration_ms)}</span>`;
  }
  if (step.request_to_result_ms !== undefined) {
    const note = "Distance of the two records, not the time that the tool ran.";
    return html`<span title=${note}>${duration(step.request_to_result_ms)}<span class="can-go"> to return</span></span>`;
  }
  return null;
}

/** A dotted foot that says why the result is missing. */
export function MissingFoot({ step }) {
  const reason = missingResult(step);
  return reason ? html`<p class="missing-foot">${reason}</p>` : null;
}
