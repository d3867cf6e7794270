// @ts-check
/** The conversation page: frame, keyboard, first load. */

import { effect, html, render, useEffect } from "./dom.js";
import {
  clearSelection, drawerOpen, failure, following, nextDepth, outlineTab, overview, pane, start, trustOpen,
} from "./conversation_state.js";
import { Header } from "./header.js";
import { Icon, Mark } from "./icons.js";
import { Inspector } from "./inspector.js";
import { KeysDialog, listen, showKeys } from "./keys.js";
import { LiveRegion } from "./live_region.js";
import { Failed } from "./message.js";
import { Outline } from "./outline.js";
import { moveWithArrows } from "./tabs.js";
import { ThemeToggle } from "./theme.js";
import { Transcript, transcriptKeys } from "./transcript.js";

const KEYS = [
  { keys: ["j"], does: "next step" },
  { keys: ["k"], does: "step before" },
  { keys: ["Enter"], does: "open the fold, or the child of the step" },
  { keys: ["Esc"], does: "clear the selection, close what is open" },
  { keys: ["d"], does: "depth: prompts, messages, tools, everything" },
  { keys: ["["], does: "outline" },
  { keys: ["t"], does: "talks or streams in the outline" },
  { keys: ["F6"], does: "next pane" },
  { keys: ["?"], does: "this list" },
];

const PANES = ["outline", "transcript", "inspector"];

function closeOrClear() {
  if (trustOpen.value) trustOpen.value = false;
  else if (drawerOpen.value) drawerOpen.value = false;
  else clearSelection();
}

function nextPane(event) {
  event.preventDefault();
  const at = PANES.findIndex((name) => document.getElementById(name)?.contains(document.activeElement));
  const name = PANES[(at + 1) % PANES.length];
  if (name === "outline") drawerOpen.value = true;
  pane.value = name;
  requestAnimationFrame(() => document.getElementById(name)?.focus());
}

/** Enter belongs to the control that has the focus, if one has it. */
function enter(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!target.closest("button, a, summary")) transcriptKeys.enter();
}

const ACTIONS = {
  j: () => transcriptKeys.move(1),
  k: () => transcriptKeys.move(-1),
  d: () => nextDepth(),
  Enter: enter,
  Escape: closeOrClear,
  F6: nextPane,
  "[": () => {
    drawerOpen.value = !drawerOpen.value;
    pane.value = drawerOpen.value ? "outline" : "transcript";
    requestAnimationFrame(() => document.getElementById(drawerOpen.value ? "outline" : "transcript")?.focus());
  },
  t: () => {
    outlineTab.value = outlineTab.value === "talks" ? "streams" : "talks";
  },
};

/** @type {Record<string, string>} */
const FOLLOWING = {
  events: "Following, your place is held",
  polling: "Checked every 10 s, your place is held",
  lost: "The server does not answer, trying again",
};

function StatusLine() {
  const shown = overview.value;
  return html`<footer class="status">
    <span class=${following.value === "lost" ? "bad" : ""}>${FOLLOWING[following.value]}</span>
    <span>read only</span>
    ${shown && html`<span>round ${shown.rounds}, landed through ${shown.through_seq}</span>`}
    <span class="keys-hint">
      <span><kbd>j</kbd><kbd>k</kbd> step</span><span><kbd>d</kbd> depth</span>
      <button type="button" onClick=${showKeys}><kbd>?</kbd> all keys</button>
    </span>
  </footer>`;
}

/** Below 860 px one pane shows at a time. */
function PaneTabs() {
  const tabs = [
    { key: "outline", word: "Outline", icon: "list" },
    { key: "transcript", word: "Transcript", icon: "reply" },
    { key: "inspector", word: "Step", icon: "unresolved" },
  ];
  return html`<nav class="pane-tabs" aria-label="Panes"><div role="tablist" onKeyDown=${(event) => moveWithArrows(event, '[role="tab"]')}>
    ${tabs.map(
      ({ key, word, icon }) => html`<button
        key=${key}
        type="button"
        role="tab"
        aria-selected=${String(pane.value === key)}
        aria-controls=${key}
        tabindex=${pane.value === key ? 0 : -1}
        onClick=${() => (pane.value = key)}
      >
        <${Icon} name=${icon} />${word}
      </button>`,
    )}
  </div></nav>`;
}

function Page() {
  useEffect(() => listen(ACTIONS), []);
  if (failure.value) {
    return html`<div class="failed-page">
      <header class="top">
        <a class="brand" href="/" aria-label="sessionizer, all conversations"><${Mark} /><span>sessionizer</span></a>
        <div class="title"><h1>Conversation</h1></div>
        <${ThemeToggle} />
      </header>
      <main>
        <${Failed} title="This conversation cannot be read" error=${failure.value} retry=${start}>
          <p>Other conversations are not affected. <a class="link" href="/">All conversations</a></p>
        <//>
      </main>
    </div>`;
  }
  return html`<div class=${`conversation ${drawerOpen.value ? "drawer-open" : ""}`} data-pane=${pane.value}>
    <a class="skip" href="#transcript">Skip to the transcript</a>
    <${Header} />
    <div class="scrim" onClick=${() => (drawerOpen.value = false)} />
    <${Outline} />
    <${Transcript} />
    <${Inspector} />
    <${StatusLine} />
    <${PaneTabs} />
    <${KeysDialog} keys=${KEYS} />
    <${LiveRegion} />
  </div>`;
}

effect(() => {
  document.title = `${overview.value?.title || "Conversation"} · sessionizer`;
});

render(html`<${Page} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
start();
