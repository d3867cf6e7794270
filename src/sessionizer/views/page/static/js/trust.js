// @ts-check
/** How complete a conversation is: one chip, and the list of problems with their denominators. */

import { html, useEffect, useRef } from "./dom.js";
import { Icon } from "./icons.js";
import { stepCount } from "./kinds.js";
import { goToReference } from "./references.js";
import { count, plural, tokenText } from "./sizes.js";
import { trustOf } from "./trust_state.js";
import { visible } from "./visible_text.js";

/** How many of these there could have been. */
function denominatorOf(kind, shown) {
  const { kinds } = shown;
  if (kind === "tool_result") return (kinds.tool ?? 0) + (kinds["agent.call"] ?? 0);
  if (kind === "spawn_of_child") return Math.max(0, (kinds.stream ?? 0) - 1);
  if (kind === "notified_child") return kinds["runtime.notification"] ?? 0;
  if (kind === "epoch_continuation") return kinds["epoch.boundary"] ?? 0;
  return 0;
}

/** Problems by kind. @returns {{kind: string, entries: any[], of: number}[]} */
function problemsOf(shown) {
  const groups = new Map();
  for (const entry of shown.unresolved) groups.set(entry.kind, [...(groups.get(entry.kind) ?? []), entry]);
  return [...groups].map(([kind, entries]) => ({ kind, entries, of: denominatorOf(kind, shown) }));
}

/** Entries of one kind listed by name. */
const LISTED = 6;

function Problem({ problem, close }) {
  const { entries, of } = problem;
  const share = of >= entries.length ? `${count(entries.length)} of ${count(of)}` : count(entries.length);
  const show = (entry) => {
    close();
    goToReference(entry.id);
  };
  return html`<li>
    <b>${share}</b>
    <span>
      ${visible(entries[0].reason)}:${" "}
      ${entries.slice(0, LISTED).map(
        (entry, at) => html`${at > 0 && ", "}${entry.id
          ? html`<button type="button" class="link mono" onClick=${() => show(entry)}>${visible(entry.ref)}</button>`
          : html`<code class="from-data">${visible(entry.ref)}</code>`}`,
      )}
      ${entries.length > LISTED && ` and ${count(entries.length - LISTED)} more`}
    </span>
  </li>`;
}

export function TrustChip({ shown, isOpen, toggle }) {
  const open = shown.unresolved.length;
  const { state, word, icon } = trustOf(open);
  const says = open ? plural(open, "open reference") : "no open reference";
  return html`<button type="button" class=${`chip ${state}`} aria-expanded=${String(isOpen)} aria-controls="problems" onClick=${toggle}>
    <${Icon} name=${icon} /><span><strong>${word}</strong><small>${says}</small></span>
  </button>`;
}

/** The list behind the chip. */
export function Problems({ shown, close }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => box.current?.focus(), []);
  const problems = problemsOf(shown);
  const atLeast = shown.at_least ?? 0;
  const steps = stepCount(shown.kinds);
  return html`<section class="popover" id="problems" aria-label="Completeness" tabindex="-1" ref=${box}>
    <header>
      <h2>${problems.length ? "Incomplete" : "Complete"}: ${plural(shown.unresolved.length, "open reference")} among ${plural(steps, "step")}</h2>
      <p>The chain of ${plural(shown.rounds, "round")} was read and checked. The kept bytes are checked by <code>asz verify</code>.</p>
    </header>
    <ul>
      ${problems.map((problem) => html`<${Problem} key=${problem.kind} problem=${problem} close=${close} />`)}
      ${atLeast > 0 &&
      html`<li><b>${count(atLeast)} of ${count(Math.max(atLeast, shown.kinds["llm.call"] ?? 0))}</b><span>model calls report only part of their tokens; sums say "≥"</span></li>`}
      ${shown.tokens_inherited && html`<li><b>${tokenText(shown.tokens_inherited)}</b><span>tokens stand on calls copied from an older session and are not counted here</span></li>`}
      ${(shown.inherits ?? []).map(
        (each) => html`<li key=${each.session}><b>${count(each.records)}</b><span>records were copied from the older session <code class="from-data">${visible(each.session)}</code> (${visible(each.quality)}); they are shown, and not counted as new</span></li>`,
      )}
    </ul>
  </section>`;
}
