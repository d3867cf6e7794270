// @ts-check
/** The right pane: one step, seen from five sides. */

import { html } from "./dom.js";
import { clearSelection, inspectorTab, overview, selected, selection, streamRow, streamTitle, talkNumber, talkRow } from "./conversation_state.js";
import { EvidenceTab, positionsOf } from "./inspector/evidence_tab.js";
import { LinksTab, linksOf } from "./inspector/links_tab.js";
import { RawTab } from "./inspector/raw_tab.js";
import { ResultTab } from "./inspector/result_tab.js";
import { StepTab, TalkTab } from "./inspector/step_tab.js";
import { Guarded } from "./guarded.js";
import { Icon } from "./icons.js";
import { lookOf } from "./kinds.js";
import { oneLine } from "./steps/card.js";
import { panelOf, Tabs } from "./tabs.js";
import { clock, duration } from "./times.js";
import { argumentOf, inputOf } from "./agent_words.js";
import { firstLine, visible } from "./visible_text.js";

/** What stands large in the head: a tool's argument, else the first line. */
function headline(step) {
  const isTool = step.kind === "tool" || step.kind === "agent.call";
  return isTool ? oneLine(argumentOf(inputOf(step), step.text), 200) : firstLine(step.text, 200);
}

function whereAndWhen(step, talk) {
  const row = talkRow(talk);
  const words = [streamTitle(streamRow(step.stream ?? "main")) || step.stream, row && `talk ${talkNumber(row)}`, clock(step.at)];
  if (step.duration_ms !== undefined) words.push(duration(step.duration_ms));
  return words.filter(Boolean).join(", ");
}

function Head({ step, talk }) {
  const look = lookOf(step.kind);
  const isTool = step.kind === "tool" || step.kind === "agent.call";
  return html`<header class="inspector-head">
    <p class="who">${look.word}${isTool && step.name && html`, <span class="from-data">${visible(step.name)}</span>`}</p>
    <button type="button" class="icon-button" aria-label="Clear the selection, Escape" onClick=${clearSelection}><${Icon} name="cross" small /></button>
    ${headline(step) && html`<code class="from-data" dir="auto">${visible(headline(step))}</code>`}
    <p class="muted figures from-data">${visible(whereAndWhen(step, talk))}${step.failed && html`, <span class="bad">failed</span>`}</p>
  </header>`;
}

function Panel({ tab, step, talk }) {
  if (tab === "result") return html`<${ResultTab} step=${step} />`;
  if (tab === "links") return html`<${LinksTab} step=${step} />`;
  if (tab === "evidence") return html`<${EvidenceTab} key=${step.id} step=${step} />`;
  if (tab === "raw") return html`<${RawTab} key=${step.id} step=${step} />`;
  return html`<${StepTab} step=${step} talk=${talk} />`;
}

function Inspected() {
  const found = selection.value;
  const row = talkRow(selected.value);
  if (row) {
    return html`<header class="inspector-head"><p class="who">Talk ${talkNumber(row)}</p><code class="from-data" dir="auto">${visible(firstLine(row.label, 200))}</code></header>
      <div class="inspector-scroll"><${TalkTab} row=${row} /></div>`;
  }
  if (!found) {
    return html`<div class="inspector-none">
      <h2>Nothing selected</h2>
      <p>Select a step to see what it is, what it is linked to and the landed record that proves it.</p>
      <p><kbd>j</kbd> <kbd>k</kbd> step through the transcript.</p>
    </div>`;
  }
  const { node: step, talk } = found;
  const { edges, opened } = linksOf(step);
  const links = edges.length + opened.length + (typeof step.attrs?.result_join === "string" ? 1 : 0);
  const tabs = [
    { key: "step", word: "Step" },
    { key: "result", word: "Result" },
    { key: "links", word: "Links", count: links },
    { key: "evidence", word: "Evidence", count: positionsOf(step).length },
    { key: "raw", word: "Raw" },
  ];
  const tab = tabs.some(({ key }) => key === inspectorTab.value) ? inspectorTab.value : "step";
  return html`<${Head} step=${step} talk=${talk} />
    <${Tabs} name="inspector" label="Inspector" chosen=${tab} choose=${(key) => (inspectorTab.value = key)} tabs=${tabs} />
    <div class="inspector-scroll" ...${panelOf("inspector", tab)} tabindex="0"><${Guarded} key=${`${step.id} ${tab}`} what="This side of the step"><${Panel} tab=${tab} step=${step} talk=${talk} /><//></div>`;
}

export function Inspector() {
  const step = selection.value?.node;
  const accent = step ? lookOf(step.kind).accent : "none";
  return html`<aside class=${`inspector a-${accent}`} id="inspector" aria-label="Inspector" tabindex="-1">${overview.value && html`<${Guarded} key=${selected.value} what="This step"><${Inspected} /><//>`}</aside>`;
}
