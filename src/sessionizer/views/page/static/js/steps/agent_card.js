// @ts-check
/**
 * A call that started children. "Open here" shows a child's talk inside the card, apart from its
 * parent; below two levels the child's own stream is the place to read on.
 */

import { html, useEffect } from "../dom.js";
import { depth, loadTalk, selectStep, showStream, streamRow, streamTitle, talkRow, talks, talksOf } from "../conversation_state.js";
import { Loading } from "../message.js";
import { Quality } from "../quality.js";
import { useRemembered } from "../remembered.js";
import { plural, tokenText } from "../sizes.js";
import { openingOf, replyOf } from "../talk_tree.js";
import { duration, isKnown } from "../times.js";
import { inputOf } from "../agent_words.js";
import { firstLine, Text } from "../visible_text.js";
import { depthOf } from "../transcript_rows.js";
import { DEPTHS } from "../kinds.js";
import { Card } from "./card.js";
import { Row } from "./row.js";
import { SaidText } from "./said.js";
import { StepRow } from "./step.js";
import { GeneralCard } from "./tool_cards.js";
import { MissingFoot, ToolState } from "./tool_meta.js";

/** Children open inside children down to here. */
const DEEPEST = 2;
const STEPS_A_PAGE = 30;

/** Steps, tokens and time of a child, as far as they are known. */
function ChildFacts({ stream }) {
  const row = streamRow(stream);
  if (!row) return null;
  const rows = talksOf(row.name);
  const from = Math.min(...rows.map((talk) => (isKnown(talk.from) ? talk.from : Infinity)));
  const to = Math.max(...rows.map((talk) => talk.to));
  const isTimed = Number.isFinite(from) && isKnown(to);
  return html`<span>${plural(row.steps, "step")}</span>
    ${row.tokens && html`<span class="can-go">${tokenText(row.tokens)} tokens</span>`}
    <span class="can-go">${isTimed ? duration(to - from) : "time unknown"}</span>`;
}

/** One talk of a child, inside the card of its call. */
function NestedTalk({ id, level }) {
  const [shown, setShown] = useRemembered(`nested:${id}`, 0);
  useEffect(() => {
    loadTalk(id);
  }, [id]);
  const loaded = talks.value.get(id);
  if (!loaded || loaded.status === "loading") return html`<${Loading} what="the child's talk" />`;
  if (loaded.status === "failed") {
    return html`<p class="bad">Could not be read: ${loaded.error?.message} <button type="button" class="link" onClick=${() => loadTalk(id, true)}>Try again</button></p>`;
  }
  const steps = loaded.steps ?? [];
  const row = talkRow(id);
  const reply = replyOf(steps);
  const opening = openingOf(steps);
  const inside = steps.filter((step) => step !== reply && step !== opening && depthOf(step) <= DEPTHS.indexOf(depth.value));
  const failed = steps.filter((step) => step.failed).length;
  const tools = steps.filter((step) => step.kind === "tool" || step.kind === "agent.call").length;
  return html`
    <${Row} accent="agent" icon="agent" at=${row?.from ?? 0} class="first">
      <${SaidText} id=${`told:${id}`} step=${opening} who="Delegated input" text=${opening?.text ?? row?.label ?? ""} plain />
    <//>
    <${Row} accent="none" icon=${shown ? "down" : "right"}>
      <p class="muted">
        ${plural(tools, "call")}${failed > 0 && html`, <span class="bad">${failed} failed</span>`}${" "}
        ${inside.length > 0 &&
        html`<button type="button" class="link" aria-expanded=${String(shown > 0)} onClick=${() => setShown(shown ? 0 : STEPS_A_PAGE)}>
          ${shown ? "hide steps" : `show ${plural(inside.length, "step")}`}
        </button>`}
        ${inside.length === 0 && steps.length > 0 && html`<span class="faint">no step shows at this depth</span>`}
      </p>
    <//>
    ${inside.slice(0, shown).map((step) => html`<${StepRow} key=${step.id} step=${step} talk=${id} level=${level + 1} />`)}
    ${shown > 0 &&
    inside.length > shown &&
    html`<${Row} accent="none" icon="down">
      <button type="button" class="link" onClick=${() => setShown(shown + STEPS_A_PAGE)}>
        Show ${Math.min(STEPS_A_PAGE, inside.length - shown)} more of ${inside.length}
      </button>
    <//>`}
    ${reply &&
    html`<${Row} accent="agent" icon="reply" at=${reply.at} class="last" select=${() => selectStep(reply.id)}>
      <${SaidText} id=${`said:${reply.id}`} step=${reply} who="Child output" text=${reply.text ?? ""} />
    <//>`}
  `;
}

/** The name of one child and what can be done with it. */
function Child({ opened, level, isOpen, toggle }) {
  const row = streamRow(opened.stream);
  return html`<div class="child">
    <${Quality} quality=${opened.quality} dense />
    <${Text} class="child-name" value=${opened.label || streamTitle(row) || opened.stream} />
    <span class="meta"><${ChildFacts} stream=${opened.stream} /></span>
    ${level < DEEPEST && html`<button type="button" class="link" aria-expanded=${String(isOpen)} onClick=${toggle}>${isOpen ? "Close" : "Open here"}</button>`}
    <button type="button" class="link" onClick=${() => showStream(opened.stream, opened.talk)}>Open stream</button>
  </div>`;
}

/** @param {import("./tool_cards.js").CardProps} props */
export function AgentCard(props) {
  const { step, talk, selected, select, level } = props;
  const opens = step.opens ?? [];
  const [open, setOpen] = useRemembered(`open:${step.id}`, /** @type {string} */ (""));
  const input = inputOf(step);
  const title = firstLine(input?.description ?? input?.name ?? opens[0]?.label ?? input?.prompt ?? "");
  if (!opens.length) {
    return html`<div class="child-missing">
      <${GeneralCard} ...${props} />
      <p class="missing-foot">No landed stream is known to be the child of this call.</p>
    </div>`;
  }
  const one = opens.length === 1 ? opens[0] : undefined;
  const kind = typeof input?.subagent_type === "string" ? input.subagent_type : "";
  const meta = one
    ? html`<${ToolState} step=${step} /><${ChildFacts} stream=${one.stream} />
        ${one.quality !== "exact_unique" && html`<${Quality} quality=${one.quality} dense />`}
        ${level < DEEPEST &&
        html`<button type="button" class="link" aria-expanded=${String(open === one.stream)} onClick=${() => setOpen(open ? "" : one.stream)}>
          ${open ? "Close" : "Open here"}
        </button>`}
        <button type="button" class=${level < DEEPEST ? "link can-go" : "link"} onClick=${() => showStream(one.stream, one.talk)}>Open stream</button>`
    : html`<${ToolState} step=${step} /><span>${plural(opens.length, "child", "children")}</span>`;
  const shownTalks = open ? talksOf(streamRow(open)?.name ?? "").map((row) => row.id) : [];
  return html`<${Card} step=${step} talk=${talk} name=${step.name || "Agent"} argument=${title} note=${kind} meta=${meta} selected=${selected} select=${select} class="a-agent">
    ${!one &&
    html`<div class="children">
          ${opens.map(
            (opened) => html`<${Child}
              key=${opened.stream}
              opened=${opened}
              level=${level}
              isOpen=${open === opened.stream}
              toggle=${() => setOpen(open === opened.stream ? "" : opened.stream)}
            />`,
          )}
        </div>`}
    ${open &&
    html`<div class="nested">
      ${shownTalks.map((id) => html`<${NestedTalk} key=${id} id=${id} level=${level} />`)}
      ${!shownTalks.length && html`<p class="muted">This stream has no talk.</p>`}
    </div>`}
    <${MissingFoot} step=${step} />
  <//>`;
}
