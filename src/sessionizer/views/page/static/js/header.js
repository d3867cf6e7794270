// @ts-check
/** The header of the conversation page. */

import { html } from "./dom.js";
import { outside, overview, trustOpen } from "./conversation_state.js";
import { stepCount } from "./kinds.js";
import { Fact } from "./header_fact.js";
import { Mark } from "./icons.js";
import { count, tokenBreakdown, tokenText } from "./sizes.js";
import { lookOfState, StateDot } from "./state_dot.js";
import { ThemeToggle } from "./theme.js";
import { dayAndClock, isKnown, range, spanText } from "./times.js";
import { Problems, TrustChip } from "./trust.js";
import { firstLine, Text, visible } from "./visible_text.js";

/** Smallest and largest known time over all talks and what lies outside; 0 when there is none. */
function spanOf(talks) {
  const loose = (outside.value ?? []).map((step) => step.at).filter(isKnown);
  const starts = [...talks.map((talk) => talk.from).filter(isKnown), ...loose];
  const ends = [...talks.map((talk) => talk.to).filter(isKnown), ...loose];
  return { from: starts.length ? starts.reduce((one, two) => Math.min(one, two)) : 0, to: ends.length ? ends.reduce((one, two) => Math.max(one, two)) : 0 };
}

function StateChip({ state, to }) {
  const { look, word } = lookOfState(state);
  const says = isKnown(to) ? `last record ${dayAndClock(to)}` : "time of last record unknown";
  return html`<div class=${`chip ${look}`}><${StateDot} state=${state} /><span><strong>${word[0].toUpperCase() + word.slice(1)}</strong><small>${says}</small></span></div>`;
}

function Facts({ shown }) {
  const { from, to } = spanOf(shown.talks);
  const mains = shown.talks.filter((talk) => !talk.child).length;
  const steps = stepCount(shown.kinds);
  return html`<dl class="facts">
    <${Fact} word="first to last record" value=${spanText(from, to)} title=${range(from, to)} class="first-to-go" />
    <${Fact} word=${mains === 1 ? "talk" : "talks"} value=${count(mains)} />
    <${Fact} word=${steps === 1 ? "step" : "steps"} value=${count(steps)} class="second-to-go" />
    <${Fact} word=${shown.streams.length === 1 ? "stream" : "streams"} value=${count(shown.streams.length)} />
    <${Fact} word="tokens, cache in" value=${tokenText(shown.tokens, shown.at_least)} title=${tokenBreakdown(shown.tokens, shown.at_least)} />
  </dl>`;
}

export function Header() {
  const shown = overview.value;
  const { from, to } = shown ? spanOf(shown.talks) : { from: 0, to: 0 };
  const asked = firstLine(shown?.talks.find((talk) => !talk.child)?.label, 120);
  const title = shown?.title || (asked ? `“${asked}”` : "(untitled)");
  const facts = shown ? [shown.project, shown.agent_version && `agent ${shown.agent_version}`, range(from, to)].filter(Boolean) : [];
  return html`<header class="top">
    <a class="brand" href="/" aria-label="sessionizer, all conversations"><${Mark} /><span>sessionizer</span></a>
    <div class="title">
      <h1 title=${shown ? visible(shown.id) : undefined}>${shown ? html`<${Text} class=${shown.title ? "" : "muted"} value=${title} />` : "Loading"}</h1>
      <p>${facts.map((fact, at) => html`${at > 0 && html`<span class=${at > 0 ? "dot-sep wide" : "dot-sep"}>·</span>`}<${Text} class=${at > 0 ? "wide" : ""} value=${fact} />`)}</p>
    </div>
    ${shown &&
    html`<${Facts} shown=${shown} />
      <div class="verdict">
        ${shown.state && html`<${StateChip} state=${shown.state} to=${to} />`}
        <${TrustChip} shown=${shown} isOpen=${trustOpen.value} toggle=${() => (trustOpen.value = !trustOpen.value)} />
      </div>`}
    <${ThemeToggle} />
    ${shown && trustOpen.value && html`<${Problems} shown=${shown} close=${() => (trustOpen.value = false)} />`}
  </header>`;
}

