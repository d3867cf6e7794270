// @ts-check
/** The left pane: talks by segment, and the tree of streams. */

import { html, useMemo } from "./dom.js";
import { currentStream, currentTalk, goToTalk, overview, outlineTab, showStream, streamOutside, streamTalks, streamTitle, unfolded, scrollWish, pane, drawerOpen } from "./conversation_state.js";
import { resetWords } from "./agent_words.js";
import { Loading } from "./message.js";
import { count, plural } from "./sizes.js";
import { StreamsTree } from "./streams_tree.js";
import { panelOf, Tabs } from "./tabs.js";
import { isBefore } from "./talk_tree.js";
import { duration, isKnown, QUIET_MS, range } from "./times.js";
import { walkTree } from "./tree_keys.js";
import { firstLine, Text } from "./visible_text.js";
import { Windowed } from "./windowed.js";

/** A round red dot with a count: failed. */
const Failed = ({ number }) => html`<i class="dot-failed" title=${`${number} failed`}><span class="only-read">failed </span>${count(number)}</i>`;

function TalkItem({ talk, number, setSize }) {
  const isCurrent = currentTalk.value === talk.id;
  const label = firstLine(talk.label, 200);
  const below = [talk.tools ? plural(talk.tools, "tool") : plural(talk.steps, "step"), talk.agents ? plural(talk.agents, "agent") : ""].filter(Boolean).join(", ");
  return html`<button
    type="button"
    role="treeitem"
    aria-level="2"
    aria-setsize=${setSize}
    aria-posinset=${number}
    aria-selected=${String(isCurrent)}
    class="talk-item"
    tabindex=${isCurrent ? 0 : -1}
    onClick=${() => goToTalk(talk.id)}
  >
    <span class="number">${number}</span>
    <${Text} class=${label ? "talk-label" : "talk-label muted"} value=${label || "no opening line"} title=${label.length > 30 ? label : undefined} />
    <span class="dots">${talk.failed > 0 && html`<${Failed} number=${talk.failed} />`}</span>
    ${isCurrent && html`<span class="below">${below}</span>`}
    ${talk.inherited_from && html`<span class="below">copied from an older session</span>`}
  </button>`;
}

/** Where segments begin, quiet times, resets and talks, in one order. */
function outlineItems(talks, segments, rulers) {
  const items = [];
  const byId = new Map(segments.map((segment, at) => [segment.id, { segment, number: at + 1 }]));
  let current = "";
  let lastEnd = 0;
  let placed = 0;
  talks.forEach((talk, at) => {
    if (isKnown(lastEnd) && isKnown(talk.from) && talk.from - lastEnd > QUIET_MS && byId.get(talk.segment)?.segment.id !== current) {
      items.push({ type: "quiet", key: `quiet:${talk.id}`, ms: talk.from - lastEnd });
    }
    lastEnd = Math.max(lastEnd, talk.to);
    const found = byId.get(talk.segment);
    if (found && talk.segment !== current) {
      items.push({ type: "segment", key: `${talk.segment}:${talk.id}`, ...found });
      current = talk.segment;
    }
    while (placed < rulers.length && isBefore(rulers[placed], talk)) {
      items.push({ type: "ruler", key: rulers[placed].id, step: rulers[placed] });
      placed += 1;
    }
    items.push({ type: "talk", key: talk.id, talk, number: at + 1 });
  });
  return items;
}

/** Says day and time once where one day is all there is. */
const segmentTimes = (segment) => (isKnown(segment.from) ? range(segment.from, segment.to) : "time unknown");

function OutlineItem({ item, setSize }) {
  if (item.type === "talk") return html`<${TalkItem} talk=${item.talk} number=${item.number} setSize=${setSize} />`;
  if (item.type === "quiet") return html`<p class="quiet-mark"><span>${duration(item.ms)} quiet</span></p>`;
  if (item.type === "ruler") {
    return html`<button type="button" role="treeitem" aria-level="2" class="outline-ruler" tabindex="-1" onClick=${() => (scrollWish.value = { key: `step:${item.step.id}`, align: "near", focus: true })}>
      <${Text} value=${firstLine(resetWords(item.step), 60) || "context reset"} />
    </button>`;
  }
  return html`<div class="segment" role="treeitem" aria-level="1" aria-expanded="true"><b>Segment ${item.number}</b><span>${segmentTimes(item.segment)}</span></div>`;
}

/** Guessed heights by type, pixels. */
const HEIGHTS = { talk: 30, segment: 33, quiet: 25, ruler: 25 };

function Talks() {
  const talks = streamTalks.value;
  const steps = streamOutside.value;
  const segments = overview.value?.segments;
  const items = useMemo(
    () => outlineItems(talks, segments ?? [], steps.filter((step) => step.kind === "epoch.boundary")).map((item) => ({ ...item, height: HEIGHTS[item.type] })),
    [talks, segments, steps],
  );
  const showLoose = () => {
    unfolded.value = new Set(unfolded.value).add("outside");
    scrollWish.value = { key: "outside", align: "start", focus: true };
    pane.value = "transcript";
    drawerOpen.value = false;
  };
  const stream = currentStream.value;
  const before =
    stream &&
    stream.role !== "main" &&
    html`<p class="in-stream">Talks of <${Text} as="b" value=${streamTitle(stream)} /> <button type="button" class="link" onClick=${() => showStream("main")}>Back to main</button></p>`;
  const after = html`${!talks.length && html`<p class="outline-note">No talks in this stream.</p>`}
    ${steps.length > 0 && html`<button type="button" class="outline-note" onClick=${showLoose}>${plural(steps.length, "step")} outside any talk</button>`}`;
  return html`<${Windowed}
    items=${items}
    draw=${(item) => html`<${OutlineItem} item=${item} setSize=${talks.length} />`}
    follow=${currentTalk.value}
    pane=${{ class: "outline-scroll", ...panelOf("outline", "talks") }}
    list=${{ role: "tree", "aria-label": "Talks", onKeyDown: walkTree }}
    before=${before}
    after=${after}
  />`;
}

export function Outline() {
  const shown = overview.value;
  return html`<nav class="outline" id="outline" aria-label="Outline" tabindex="-1">
    <${Tabs}
      name="outline"
      label="Outline"
      chosen=${outlineTab.value}
      choose=${(key) => (outlineTab.value = key)}
      tabs=${[
        { key: "talks", word: "Talks", count: shown ? count(streamTalks.value.length) : undefined },
        { key: "streams", word: "Streams", count: shown ? count(shown.streams.length) : undefined },
      ]}
    />
    ${!shown && html`<div class="outline-note"><${Loading} what="the outline" /></div>`}
    ${shown && outlineTab.value === "talks" && html`<${Talks} />`}
    ${shown && outlineTab.value === "streams" && html`<${StreamsTree} />`}
  </nav>`;
}
