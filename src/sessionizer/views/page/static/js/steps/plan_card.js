// @ts-check
/** A plan put before the person, and what came of it. */

import { html } from "../dom.js";
import { Prose } from "../prose.js";
import { duration } from "../times.js";
import { inputOf, isRefusal } from "../agent_words.js";
import { firstLine, Text } from "../visible_text.js";
import { Card } from "./card.js";
import { MissingFoot, missingResult, ToolState } from "./tool_meta.js";

/** @param {import("./tool_cards.js").CardProps} props */
export function PlanCard({ step, talk, selected, select }) {
  const plan = inputOf(step)?.plan ?? step.structured?.plan;
  const waited = step.request_to_result_ms === undefined ? "" : ` after ${duration(step.request_to_result_ms)}`;
  const isAnswered = !step.failed && !missingResult(step);
  // Only an answer that says so is an approval.
  const answer = /approved/i.test(firstLine(step.result))
    ? html`<span class="good">approved${waited}</span>`
    : html`<span>answered${waited}</span>`;
  const meta = isAnswered ? answer : html`<${ToolState} step=${step} />`;
  const said = step.failed && !isRefusal(step.result) ? firstLine(step.result) : "";
  return html`<${Card} step=${step} talk=${talk} name="Plan" note="for approval" meta=${meta} selected=${selected} select=${select}>
    <div class="card-prose">
      ${typeof plan === "string" ? html`<${Prose} text=${plan} />` : html`<p class="muted">The plan's text is not in the request.</p>`}
      ${said && html`<${Text} as="p" class="muted" value=${said} />`}
    </div>
    <${MissingFoot} step=${step} />
  <//>`;
}
