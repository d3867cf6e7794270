// @ts-check
/** The transcript pane: talks of one stream, each with its opening, its fold and its reply. */

import { html, useEffect, useMemo, useRef } from "./dom.js";
import {
  clearSelection, currentStream, currentTalk, depth, drawerOpen, goToStep, loadTalk, newSteps, outside, overview, rowKeyOf,
  scrollWish, selected, selectEnd, selectStep, selection, setDepth, showStream, streamOutside, streamRow, streamTalks,
  streamTitle, talkNumber, talks, toggleTalk, unfolded,
} from "./conversation_state.js";
import { resetWords, typedCommand } from "./agent_words.js";
import { Guarded } from "./guarded.js";
import { Icon } from "./icons.js";
import { DEPTHS, lookOf } from "./kinds.js";
import { Empty, Loading } from "./message.js";
import { Quality } from "./quality.js";
import { useScrollWindow } from "./scroll_window.js";
import { count, plural } from "./sizes.js";
import { Row } from "./steps/row.js";
import { SaidText } from "./steps/said.js";
import { Pictures } from "./steps/pictures.js";
import { personNote, StepRow } from "./steps/step.js";
import { Unresolved } from "./steps/unresolved.js";
import { Choice } from "./tabs.js";
import { KindBars, TalkCounts } from "./talk_facts.js";
import { openingOf, replyOf } from "./talk_tree.js";
import { duration, dayAndClock, isKnown, spanText, Time } from "./times.js";
import { buildRows } from "./transcript_rows.js";
import { Text } from "./visible_text.js";

const capital = (word) => word[0].toUpperCase() + word.slice(1);

function TalkHead({ talk, number }) {
  return html`<h2 class="talk-head">
    <b>Talk ${number}</b>
    ${isKnown(talk.from) && html`<${Time} ms=${talk.from} format=${dayAndClock} />`}
    ${talk.to !== talk.from || !isKnown(talk.from) ? html`<span class="faint">${spanText(talk.from, talk.to)}</span>` : ""}
    ${talk.runs > 1 && html`<span class="faint">${plural(talk.runs, "run")}</span>`}
    ${talk.inherited_from && html`<span class="inherited">copied from an older session</span><${Quality} quality=${talk.quality ?? "exact_unique"} dense />`}
  </h2>`;
}

/** Who began a talk. @returns {{who: string, note: string, accent: string, icon: string, box: string}} */
function beginningOf(talk, step) {
  if (talk.child) return { who: "Delegated input", note: personNote(step, true), accent: "agent", icon: "agent", box: "agent-box" };
  if (talk.trigger === "notification") return { who: "Runtime notification", note: "the runtime began this talk", accent: "agent", icon: "background", box: "plain-box" };
  const note = step?.kind === "control.command" ? "typed as a command" : personNote(step, false);
  if (talk.trigger === "unknown") return { who: "Beginning", note: "no record of a person or a notification began this talk", accent: "none", icon: "unresolved", box: "plain-box" };
  return { who: "Person", note, accent: "person", icon: "person", box: "person-box" };
}

function Opening({ talk }) {
  const steps = talks.value.get(talk.id)?.steps;
  const step = steps && openingOf(steps);
  const { who, note, accent, icon, box } = beginningOf(talk, step);
  const isSelected = selected.value === talk.id || (step !== undefined && selected.value === step.id);
  const find = async () => openingOf((await loadTalk(talk.id)).steps ?? []);
  const shape = step?.kind === "control.command" ? (text) => typedCommand(text, step.name) : undefined;
  return html`<${Row} accent=${accent} icon=${icon} at=${step?.at ?? talk.from} class="first" select=${() => selectEnd(talk.id, "opening")}>
    <div class=${`${box} ${isSelected ? "selected" : ""}`}>
      ${talk.label || step?.text
        ? html`<${SaidText} id=${`opening:${talk.id}`} who=${who} note=${note} step=${step} text=${step?.text ?? talk.label} bytes=${talk.label_bytes} find=${find} shape=${shape} plain />`
        : html`<p class="who">${who}<small>no opening line</small></p>`}
      <${Pictures} parts=${step?.media} />
    </div>
  <//>`;
}

function Reply({ talk }) {
  const steps = talks.value.get(talk.id)?.steps;
  const step = steps && replyOf(steps);
  const isSelected = step !== undefined && selected.value === step.id;
  const find = async () => replyOf((await loadTalk(talk.id)).steps ?? []);
  const accent = talk.child ? "agent" : "reply";
  return html`<${Row} accent=${accent} icon="reply" at=${step ? step.at : talk.to} class="last" select=${() => selectEnd(talk.id, "reply")}>
    <div class=${`reply-box ${isSelected ? "selected" : ""}`}>
      <${SaidText}
        id=${`reply:${talk.id}`}
        who=${talk.child ? "Child agent" : "Main agent"}
        note="reply"
        step=${step}
        text=${step?.text ?? talk.reply ?? ""}
        bytes=${talk.reply_bytes}
        find=${find}
      />
    </div>
  <//>`;
}

function Strip({ talk }) {
  const isOpen = unfolded.value.has(talk.id);
  return html`<${Row} accent="none" icon=${isOpen ? "down" : "right"}>
    <button type="button" class="strip" aria-expanded=${String(isOpen)} onClick=${() => toggleTalk(talk.id)}>
      <span class="only-read">What the agent did: </span><${TalkCounts} talk=${talk} /><${KindBars} kinds=${talk.kinds} />
    </button>
  <//>`;
}

/** A reset of the model's context, as a line across. */
function Ruler({ step }) {
  return html`<div class=${`ruler ${selected.value === step.id ? "selected" : ""}`}>
    <button type="button" class="pick" onClick=${() => selectStep(step.id)}>
      ${lookOf(step.kind).word}${isKnown(step.at) && html`, <${Time} ms=${step.at} format=${dayAndClock} />`}
    </button>
    <${Text} value=${resetWords(step)} />
  </div>`;
}

function Hidden({ row }) {
  return html`<${Row} accent="none" icon="thinking">
    <p class="slim muted">
      ${plural(row.number, "step")} of smaller kinds ${row.number === 1 ? "is" : "are"} not shown at this depth.
      <button type="button" class="link" onClick=${() => setDepth("everything")}>Show everything</button>
    </p>
  <//>`;
}

/** @param {{row: import("./transcript_rows.js").Row}} props */
function TranscriptRow({ row }) {
  const talk = /** @type {any} */ (row.talk);
  switch (row.type) {
    case "quiet":
      return html`<p class="quiet-line"><span>${duration(row.ms)} quiet</span></p>`;
    case "ruler":
      return html`<${Ruler} step=${row.step} />`;
    case "talk":
      return html`<${TalkHead} talk=${talk} number=${row.number} />`;
    case "opening":
      return html`<${Opening} talk=${talk} />`;
    case "more":
      return html`<${Row} accent="person" icon="person"><p class="slim muted">
        ${plural(row.number, "more message was", "more messages were")} typed in this talk.
        <button type="button" class="link" onClick=${() => loadTalk(talk.id)}>Show</button>
      </p><//>`;
    case "strip":
      return html`<${Strip} talk=${talk} />`;
    case "loading":
      return html`<${Row} accent="none" icon="thinking"><div class="strip idle"><${Loading} what="steps" /></div><//>`;
    case "failed":
      return html`<${Row} accent="bad" icon="warn"><div class="strip idle" role="alert">
        <span class="bad">Could not be read.</span><${Text} value=${row.error?.message ?? ""} />
        <button type="button" class="link" onClick=${() => loadTalk(talk.id, true)}>Try again</button>
      </div><//>`;
    case "hidden":
      return html`<${Hidden} row=${row} />`;
    case "fold":
      return html`<${Row} accent="none" icon="up"><p class="slim"><button type="button" class="link" onClick=${() => toggleTalk(talk.id)}>Fold these steps</button></p><//>`;
    case "reply":
      return html`<${Reply} talk=${talk} />`;
    case "outside":
      return html`<${OutsideHead} number=${row.number} />`;
    case "unresolved":
      return html`<${Row} accent="tool" icon="unresolved"><${Unresolved} entry=${row.entry} /><//>`;
    default:
      return html`<${StepRow} step=${row.step} talk=${talk?.id} />`;
  }
}

function OutsideHead({ number }) {
  const isOpen = unfolded.value.has("outside") || !streamTalks.value.length;
  const toggle = () => {
    const next = new Set(unfolded.value);
    if (!next.delete("outside")) next.add("outside");
    unfolded.value = next;
  };
  return html`<${Row} accent="none" icon=${isOpen ? "down" : "right"}>
    <button type="button" class="strip" aria-expanded=${String(isOpen)} onClick=${toggle} disabled=${!streamTalks.value.length}>
      <span><b>${count(number)}</b> ${number === 1 ? "step" : "steps"} outside any talk</span>
    </button>
  <//>`;
}

/** What a child's transcript begins with: whose child it is, and the way back. */
function StreamBanner() {
  const row = currentStream.value;
  if (!row || row.role === "main") return null;
  const openers = row.opened_by ?? [];
  return html`<div class="stream-banner a-agent">
    <div>
      <b>Independent stream context</b>
      <${Text} class="banner-name" value=${streamTitle(row)} />
      ${row.named_by === "journal" && html`<small class="muted">named by the run's journal</small>`}
      ${row.carried && html`<small class="muted">only copies inside its parent's file are there</small>`}
      ${row.role === "internal" && html`<small class="muted">started by the runtime for itself</small>`}
    </div>
    ${openers.length === 0 && html`<p class="muted">No relation records what opened it.</p>`}
    ${openers.map(
      (opener) => html`<p key=${opener.step} class="muted">
        Opened from ${streamTitle(streamRow(opener.stream)) || opener.stream} <${Quality} quality=${opener.quality} />
        <button type="button" class="link" onClick=${() => goBack(opener)}>${opener.talk ? "Back to the step" : "Back to the stream"}</button>
      </p>`,
    )}
    <button type="button" class="link" onClick=${() => showStream("main")}>Back to main</button>
  </div>`;
}

function goBack(opener) {
  if (opener.talk) goToStep(opener.step, opener.talk);
  else showStream(opener.stream);
}

function DepthBar() {
  const row = currentStream.value;
  return html`<div class="pane-bar">
    <button type="button" class="icon-button outline-toggle" aria-label="Open the outline, [" aria-expanded=${String(drawerOpen.value)} onClick=${() => (drawerOpen.value = true)}>
      <${Icon} name="list" />
    </button>
    <span class="faint can-go" id="depth-word">Depth</span>
    <${Choice} label="Depth" options=${DEPTHS.map((key) => ({ key, word: capital(key) }))} chosen=${depth.value} choose=${setDepth} />
    <kbd class="can-go">d</kbd>
    <span class="grow" />
    ${row && row.role !== "main" && html`<span class="muted can-go">in <${Text} value=${streamTitle(row)} /></span>`}
  </div>`;
}

/** New steps arrived below what is read. */
function Pill({ jump }) {
  if (!newSteps.value) return null;
  return html`<button type="button" class="pill" onClick=${jump}><${Icon} name="arrowDown" /> ${count(newSteps.value)} new</button>`;
}

const ROW_TYPES_WITH_FOCUS = new Set(["opening", "strip", "step", "reply", "outside", "ruler"]);

/** Row that shall get the focus once it is drawn; a second key may come before that. */
let awaited = "";

/** Steps from row to row with the keyboard. */
function moveBy(rows, by) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest(".row-holder"));
  const found = selection.value;
  const next = rows.some((row) => row.key === awaited) ? awaited : "";
  const key = next || focused?.dataset.key || (found ? rowKeyOf(selected.value, found.talk) : `talk:${currentTalk.value}`);
  let at = rows.findIndex((row) => row.key === key);
  if (at < 0) at = by > 0 ? -1 : rows.length;
  do at += by;
  while (rows[at] && !ROW_TYPES_WITH_FOCUS.has(rows[at].type));
  const row = rows[at];
  if (!row) return;
  awaited = row.key;
  scrollWish.value = { key: row.key, align: "near", focus: true };
  if (row.type === "step" || row.type === "ruler") selectStep(row.step.id);
  else if (row.type === "opening" || row.type === "reply") selectEnd(row.talk.id, row.type);
  else if (row.type === "strip") {
    clearSelection();
    currentTalk.value = row.talk.id;
  }
}

/** What Enter does on the row that has the focus. */
function enterRow(rows) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  if (!focused?.dataset.key) return;
  const row = rows.find((each) => each.key === focused.dataset.key);
  if (row?.type === "strip") toggleTalk(row.talk.id);
  else if (row?.step?.opens?.length) showStream(row.step.opens[0].stream, row.step.opens[0].talk);
}

/** Keyboard actions of the transcript, set while it is on the page. @type {{move: (by: number) => void, enter: () => void}} */
export const transcriptKeys = { move: () => {}, enter: () => {} };

/** After a strip or its row is gone, its talk's head holds the place. */
const standIn = (key) => (key.startsWith("step:") ? `strip:${currentTalk.value}` : `talk:${key.slice(key.indexOf(":") + 1)}`);

function Rows() {
  const shown = streamTalks.value;
  const isMain = currentStream.value?.role === "main" || !currentStream.value;
  const entries = isMain ? (overview.value?.unresolved ?? []) : [];
  const rows = useMemo(
    () =>
      buildRows({
        talks: shown,
        outside: streamOutside.value,
        loaded: talks.value,
        unfolded: unfolded.value,
        depth: depth.value,
        unresolved: entries,
      }),
    [shown, streamOutside.value, talks.value, unfolded.value, depth.value, entries],
  );
  const keys = useMemo(() => rows.map((row) => row.key), [rows]);
  const estimates = useMemo(() => rows.map((row) => row.height), [rows]);
  const view = useScrollWindow({ keys, estimates, standIn });
  const focusKey = useRef("");

  transcriptKeys.move = (by) => moveBy(rows, by);
  transcriptKeys.enter = () => enterRow(rows);

  const wish = scrollWish.value;
  useEffect(() => {
    if (!wish || !keys.includes(wish.key)) return;
    view.scrollTo(wish.key, wish.align);
    focusKey.current = wish.focus ? wish.key : "";
    scrollWish.value = null;
  }, [wish, keys]);
  useEffect(() => {
    if (!focusKey.current) return;
    const element = view.list.current?.querySelector(`[data-key="${CSS.escape(focusKey.current)}"]`);
    if (element instanceof HTMLElement) {
      element.focus({ preventScroll: true });
      focusKey.current = "";
      awaited = "";
    }
  });

  const jumpToEnd = () => {
    newSteps.value = 0;
    if (keys.length) view.scrollTo(keys[keys.length - 1], "start");
  };
  const isEmpty = !rows.length && outside.value !== null;
  return html`
    <div class="scroll" ref=${view.scroller} tabindex="0" role="region" aria-label="Talks and steps">
      <${StreamBanner} />
      ${isEmpty &&
      html`<${Empty} title="No talks in this stream.">
        <p>Its records hold no input and no step. Streams that do are listed in the outline.</p>
      <//>`}
      <div ref=${view.list} role="feed" aria-label="Transcript">
        <div style=${{ height: `${view.above}px` }} />
        ${rows.slice(view.first, view.last + 1).map(
          (row, at) => html`<div
            key=${row.key}
            ref=${view.measureRow}
            data-key=${row.key}
            class="row-holder"
            role="article"
            aria-posinset=${view.first + at + 1}
            aria-setsize=${rows.length}
            aria-label=${labelOf(row)}
            tabindex="-1"
          >
            <${Guarded} what="This row"><${TranscriptRow} row=${row} /><//>
          </div>`,
        )}
        <div style=${{ height: `${view.below}px` }} />
      </div>
    </div>
    <${Pill} jump=${jumpToEnd} />
  `;
}

/** Name of a row for a screen reader. */
function labelOf(row) {
  if (row.type === "step" || row.type === "ruler") return [lookOf(row.step.kind).word, row.step.name].filter(Boolean).join(" ");
  if (row.type === "talk" || row.type === "opening" || row.type === "reply") return `Talk ${talkNumber(row.talk)}, ${row.type === "talk" ? "head" : row.type}`;
  return row.type;
}

/** The middle pane. */
export function Transcript() {
  return html`<main class="transcript" id="transcript" aria-label="Transcript" tabindex="-1">
    <${DepthBar} />
    ${overview.value ? html`<${Rows} key=${currentStream.value?.name ?? ""} />` : html`<div class="scroll"><div class="first-load"><${Loading} what="the conversation" /></div></div>`}
  </main>`;
}
