// @ts-check
/** The list page: every conversation, filtered and sorted. */

import { readAbout, readConversations } from "./api.js";
import { computed, html, render, signal, useEffect, useMemo, useRef } from "./dom.js";
import { Fact } from "./header_fact.js";
import { Icon, Mark } from "./icons.js";
import { KeysDialog, listen, showKeys } from "./keys.js";
import { announce, LiveRegion } from "./live_region.js";
import { COLUMNS, filterRows, mainTalks, sortRows, TIMES, titleOf } from "./list_rows.js";
import { Empty, Failed, Loading } from "./message.js";
import { useScrollWindow } from "./scroll_window.js";
import { count, plural, tokenBreakdown, tokenText, tokenTotal } from "./sizes.js";
import { lookOfState, StateDot } from "./state_dot.js";
import { ThemeToggle } from "./theme.js";
import { clock, dayAndClock, isKnown, range, Time } from "./times.js";
import { trustOf } from "./trust_state.js";
import { conversationUrl, readQuery, replaceQuery } from "./urls.js";
import { Text, visible } from "./visible_text.js";

const REFRESH_MS = 30_000;
const ROW_HEIGHT = 45;

/** @type {{value: import("./shapes.js").ConversationRow[] | null}} */
const rows = signal(null);
/** @type {{value: Error | null}} */
const failure = signal(null);
const readAt = signal(0);
/** A line about all conversations; empty when there is none. */
const note = signal("");
const asked = readQuery();
const filters = signal({ text: asked.q ?? "", project: asked.project ?? "", state: asked.state ?? "", trust: asked.trust ?? "", time: asked.time ?? "" });
const sorting = signal({ by: asked.sort ?? "last", up: asked.up === "1" });

const shownRows = computed(() => sortRows(filterRows(rows.value ?? [], filters.value, readAt.value), sorting.value));

function writeAddress() {
  const { text, ...rest } = filters.value;
  const { by, up } = sorting.value;
  replaceQuery({ q: text, ...rest, sort: by === "last" ? "" : by, up: up ? "1" : "" });
}

function setFilter(name, value) {
  filters.value = { ...filters.value, [name]: value };
  writeAddress();
}

function sortBy(by) {
  const { first } = COLUMNS[by];
  sorting.value = { by, up: sorting.value.by === by ? !sorting.value.up : first === "up" };
  writeAddress();
  announce(`Sorted by ${COLUMNS[by].word}`);
}

async function askAbout() {
  try {
    note.value = (await readAbout()).note;
  } catch {
    note.value = ""; // the list itself says when the server cannot be reached
  }
}

async function refresh() {
  try {
    const answer = await readConversations();
    rows.value = answer;
    failure.value = null;
    readAt.value = Date.now();
  } catch (error) {
    failure.value = /** @type {Error} */ (error);
  }
}

function Head() {
  const all = rows.value ?? [];
  const sum = (key) => all.reduce((total, row) => total + Number(row[key] ?? 0), 0);
  const look = all.filter((row) => trustOf(row.unresolved, row.error).state !== "complete").length;
  /** @type {Record<string, number>} */
  const tokens = {};
  for (const row of all) for (const [key, value] of Object.entries(row.tokens ?? {})) tokens[key] = (tokens[key] ?? 0) + Number(value);
  const atLeast = sum("at_least");
  const reported = all.some((row) => row.tokens) ? tokens : undefined;
  return html`<header class="top">
    <a class="brand" href="/" aria-label="sessionizer"><${Mark} /><span>sessionizer</span></a>
    <div class="title"><h1>Conversations</h1><p>read only${note.value && html`<span class="dot-sep">·</span><${Text} class="list-note" value=${note.value} />`}</p></div>
    ${rows.value &&
    html`<dl class="facts">
      <${Fact} word=${all.length === 1 ? "conversation" : "conversations"} value=${count(all.length)} />
      <${Fact} word="talks" value=${count(all.reduce((total, row) => total + mainTalks(row), 0))} />
      <${Fact} word="steps" value=${count(sum("steps"))} />
      <${Fact} word="tokens, cache in" value=${tokenText(reported, atLeast)} title=${tokenBreakdown(reported, atLeast)} class="first-to-go" />
      ${look > 0 && html`<${Fact} word=${look === 1 ? "needs a look" : "need a look"} value=${count(look)} class="needs-look" />`}
    </dl>`}
    <${ThemeToggle} />
  </header>`;
}

/** A native select that looks like a chip. */
function FilterChip({ word, name, options }) {
  const value = filters.value[name];
  return html`<label class=${value ? "filter-chip set" : "filter-chip"}>
    <span class="only-read">${word}</span>
    <select value=${value} onChange=${(event) => setFilter(name, event.currentTarget.value)}>
      <option value="">${word}</option>
      ${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${visible(text)}</option>`)}
    </select>
    <${Icon} name="down" small />
  </label>`;
}

function FilterBar() {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(
    () =>
      listen({
        "/": (event) => {
          event.preventDefault();
          input.current?.focus();
        },
        j: () => moveRow(1),
        k: () => moveRow(-1),
      }),
    [],
  );
  const projects = [...new Set((rows.value ?? []).map((row) => row.project).filter(Boolean))].sort().map((name) => [name, name]);
  const states = [...new Set((rows.value ?? []).map((row) => row.state).filter(Boolean))].sort().map((name) => [name, name]);
  const all = rows.value?.length ?? 0;
  const shown = shownRows.value.length;
  return html`<form class="filters" role="search" onSubmit=${(event) => event.preventDefault()}>
    <label class="field">
      <${Icon} name="search" small />
      <input
        ref=${input}
        type="search"
        aria-label="Filter by title, id or project"
        placeholder="Filter by title, id or project"
        value=${filters.value.text}
        onInput=${(event) => setFilter("text", event.currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
    ${projects.length > 0 && html`<${FilterChip} word="project" name="project" options=${projects} />`}
    <${FilterChip} word="time" name="time" options=${Object.entries(TIMES).map(([key, { word }]) => [key, word])} />
    ${states.length > 1 && html`<${FilterChip} word="state" name="state" options=${states} />`}
    <${FilterChip} word="trust" name="trust" options=${[["complete", "complete"], ["incomplete", "incomplete"], ["mismatch", "mismatch"]]} />
    <span class="grow" />
    <output class="muted">${rows.value ? (shown === all ? plural(all, "conversation") : `${count(shown)} of ${count(all)}`) : ""}</output>
  </form>`;
}

function moveRow(by) {
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("a.row-link")]);
  const at = links.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  links[Math.max(0, Math.min(links.length - 1, at < 0 ? 0 : at + by))]?.focus();
}

function TrustCell({ row }) {
  const { state, word, icon } = trustOf(row.unresolved, row.error);
  return html`<span class=${`trust ${state}`}><${Icon} name=${icon} small />${word.toLowerCase()}${row.unresolved > 0 && html`<small>${count(row.unresolved)} open</small>`}</span>`;
}

/** Number of steps with a bar relative to the largest conversation. */
function StepsCell({ steps, largest }) {
  const width = largest ? Math.max(1, Math.round((steps / largest) * 44)) : 0;
  return html`<span class="meter">${count(steps)}<svg width="44" height="4" aria-hidden="true"><rect class="meter-ground" width="44" height="4" rx="1" /><rect class="meter-fill" width=${width} height="4" rx="1" /></svg></span>`;
}

function ConversationLine({ row, largest }) {
  const title = titleOf(row);
  const below = [row.project, row.agent_version && `agent ${row.agent_version}`].filter(Boolean);
  return html`
    <td class="name">
      <a class="row-link" href=${conversationUrl(row.id)} title=${visible(row.id)}><${Text} class=${title.isTitled ? "" : "untitled"} value=${title.words} /></a>
      ${row.error
        ? html`<p class="row-error from-data" dir="auto">${visible(row.error)}</p>`
        : html`<p class="below">${below.length ? below.map((word, at) => html`${at > 0 && html`<span class="dot-sep">·</span>`}<${Text} value=${word} />`) : html`<code>${visible(row.id)}</code>`}</p>`}
    </td>
    <td class="state"><span class=${`state-word ${lookOfState(row.state).look}`}><${StateDot} state=${row.state} />${lookOfState(row.state).word}</span></td>
    <td class="trust-cell"><${TrustCell} row=${row} /></td>
    <td class="number" data-word="talks">${row.error ? "" : count(mainTalks(row))}</td>
    <td class="number steps" data-word="steps">${row.error ? "" : html`<${StepsCell} steps=${row.steps} largest=${largest} />`}</td>
    <td class="number" data-word="streams">${row.error ? "" : count(row.streams)}</td>
    <td class="number" data-word="tokens" title=${tokenBreakdown(row.tokens, row.at_least)}>${row.error ? "" : tokenTotal(row.tokens) === null ? html`<span class="faint">unknown</span>` : tokenText(row.tokens, row.at_least)}</td>
    <td class="number last" title=${isKnown(row.to) ? range(row.from, row.to) : undefined}>
      ${isKnown(row.to) ? html`<${Time} ms=${row.to} format=${dayAndClock} />` : html`<span class="faint">time unknown</span>`}
    </td>
  `;
}

function ColumnHead({ by }) {
  const { word, class: className } = COLUMNS[by];
  const isSorted = sorting.value.by === by;
  const direction = sorting.value.up ? "ascending" : "descending";
  return html`<th scope="col" class=${className} aria-sort=${isSorted ? direction : undefined}>
    <button type="button" onClick=${() => sortBy(by)}>${word}${isSorted && html`<${Icon} name=${sorting.value.up ? "up" : "down"} small />`}</button>
  </th>`;
}

function Table() {
  const shown = shownRows.value;
  const largest = Math.max(0, ...(rows.value ?? []).map((row) => row.steps));
  const keys = useMemo(() => shown.map((row) => row.id), [shown]);
  const estimates = useMemo(() => shown.map(() => ROW_HEIGHT), [shown]);
  const view = useScrollWindow({ keys, estimates });
  return html`<div class="list-scroll" ref=${view.scroller} tabindex="0" role="region" aria-label="Conversations">
    <table aria-rowcount=${shown.length + 1}>
      <thead>
        <tr>${Object.keys(COLUMNS).map((by) => html`<${ColumnHead} key=${by} by=${by} />`)}</tr>
      </thead>
      <tbody ref=${view.list}>
        ${view.above > 0 && html`<tr key="above" class="spacer" aria-hidden="true"><td colspan="8" style=${{ height: `${view.above}px` }} /></tr>`}
        ${shown.slice(view.first, view.last + 1).map(
          (row, at) => html`<tr key=${row.id} ref=${view.measureRow} data-key=${row.id} aria-rowindex=${view.first + at + 2} class=${row.error ? "broken" : ""}>
            <${ConversationLine} row=${row} largest=${largest} />
          </tr>`,
        )}
        ${view.below > 0 && html`<tr key="below" class="spacer" aria-hidden="true"><td colspan="8" style=${{ height: `${view.below}px` }} /></tr>`}
      </tbody>
    </table>
  </div>`;
}

function Body() {
  if (!rows.value) {
    if (failure.value) return html`<div class="list-scroll"><${Failed} title="The list cannot be read" error=${failure.value} retry=${refresh} /></div>`;
    return html`<div class="list-scroll"><div class="first-load"><${Loading} what="conversations" /></div></div>`;
  }
  if (!rows.value.length) {
    return html`<div class="list-scroll"><${Empty} title="No conversations yet"><p>Run <code>asz collect</code>, then <code>asz parse</code>. This page fills by itself.</p><//></div>`;
  }
  if (!shownRows.value.length) {
    const clear = () => {
      filters.value = { text: "", project: "", state: "", trust: "", time: "" };
      writeAddress();
    };
    return html`<div class="list-scroll"><${Empty} title="Nothing matches">
      <p>None of ${plural(rows.value.length, "conversation")} fits the filter.</p>
      <button type="button" class="link" onClick=${clear}>Clear the filter</button>
    <//></div>`;
  }
  return html`<${Table} />`;
}

const KEYS = [
  { keys: ["/"], does: "filter" },
  { keys: ["j"], does: "next conversation" },
  { keys: ["k"], does: "conversation before" },
  { keys: ["Enter"], does: "open the conversation" },
  { keys: ["?"], does: "this list" },
];

function Page() {
  return html`<div class="list-page">
    <a class="skip" href="#conversations">Skip to the conversations</a>
    <${Head} />
    <${FilterBar} />
    <main id="conversations" tabindex="-1"><${Body} /></main>
    <footer class="status">
      ${failure.value && rows.value ? html`<span class="bad" role="alert">Not refreshed: ${visible(failure.value.message)}</span>` : html`<span>times local, UTC on hover</span>`}
      ${readAt.value > 0 && html`<span>read ${clock(readAt.value)}</span>`}
      <span class="keys-hint">
        <span><kbd>/</kbd> filter</span><span><kbd>j</kbd><kbd>k</kbd> row</span><span><kbd>Enter</kbd> open</span>
        <button type="button" onClick=${showKeys}><kbd>?</kbd> all keys</button>
      </span>
    </footer>
    <${KeysDialog} keys=${KEYS} />
    <${LiveRegion} />
  </div>`;
}

render(html`<${Page} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
refresh();
askAbout();
window.setInterval(() => {
  if (document.visibilityState === "visible") refresh();
}, REFRESH_MS);
