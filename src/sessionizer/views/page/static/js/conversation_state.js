// @ts-check
/**
 * The state of the conversation page: what was loaded, what is open, what is selected. Views read
 * the signals; only the functions here write them.
 */

import { readHead, readOutside, readOverview, readTalk, eventsPath } from "./api.js";
import { batch, computed, signal } from "./dom.js";
import { DEPTHS } from "./kinds.js";
import { announce } from "./live_region.js";
import { nodesById, openingOf, replyOf, stepsOf } from "./talk_tree.js";
import { conversationIdOf, readQuery, replaceQuery } from "./urls.js";

/** @typedef {import("./shapes.js").TreeNode} TreeNode */
/** @typedef {import("./shapes.js").TalkRow} TalkRow */

/**
 * @typedef {Object} LoadedTalk
 * @property {"loading"|"ready"|"failed"} status
 * @property {TreeNode} [root]
 * @property {TreeNode[]} [steps] In reading order.
 * @property {Map<string, TreeNode>} [nodes]
 * @property {Error} [error]
 */

const POLL_MS = 10_000;
/** A conversation of one talk with no more steps than this opens unfolded. */
const UNFOLD_AT_MOST = 40;

export const conversationId = conversationIdOf(window.location.pathname);
const asked = readQuery();

/** @type {{value: import("./shapes.js").Overview | null}} */
export const overview = signal(null);
/** @type {{value: Error | null}} */
export const failure = signal(null);
/** Steps outside talks; null until they are loaded. @type {{value: TreeNode[] | null}} */
export const outside = signal(null);
/** @type {{value: Map<string, LoadedTalk>}} */
export const talks = signal(new Map());
/** Talks whose fold is open. @type {{value: Set<string>}} */
export const unfolded = signal(new Set());
export const depth = signal(DEPTHS.includes(asked.depth) ? asked.depth : "tools");
export const streamName = signal(asked.stream ?? "");
export const currentTalk = signal(asked.talk ?? "");
export const selected = signal(asked.step ?? "");
export const inspectorTab = signal("step");
export const outlineTab = signal("talks");
export const pane = signal("transcript");
export const drawerOpen = signal(false);
export const trustOpen = signal(false);
/** How new rounds are noticed: "events", "polling" or "lost". */
export const following = signal("polling");
/** Steps that arrived since the reader last looked at the end. */
export const newSteps = signal(0);
/** What the transcript shall scroll to next. @type {{value: {key: string, align: string, focus: boolean} | null}} */
export const scrollWish = signal(null);

/** The stream that the transcript shows. */
export const currentStream = computed(() => {
  const streams = overview.value?.streams ?? [];
  return streams.find((row) => row.name === streamName.value) ?? streams.find((row) => row.role === "main") ?? streams[0];
});

/** Talks of the current stream, in order. */
export const streamTalks = computed(() => talksOf(currentStream.value?.name ?? "main"));

/** Steps outside talks that belong to the current stream. */
export const streamOutside = computed(() => {
  const name = currentStream.value?.name ?? "main";
  return (outside.value ?? []).filter((step) => (step.stream ?? "main") === name);
});

/** @param {string} name */
export const talksOf = (name) => (overview.value?.talks ?? []).filter((talk) => talk.stream === name);

/** @param {string} id */
export const talkRow = (id) => overview.value?.talks.find((talk) => talk.id === id);

/** Number of a talk within its stream, from 1. */
export const talkNumber = (talk) => talksOf(talk.stream).findIndex((row) => row.id === talk.id) + 1;

/** @param {string} nameOrId */
export const streamRow = (nameOrId) =>
  overview.value?.streams.find((row) => row.name === nameOrId || row.id === nameOrId);

/** The name a reader sees for a stream. */
export function streamTitle(row) {
  if (!row) return "";
  if (row.role === "main") return "main";
  return row.label || (row.role === "internal" ? row.name : `child ${row.name.slice(1, 7)}`);
}

/** A loaded node by its id, with the talk that holds it (empty outside talks). */
export function findNode(id) {
  for (const [talk, loaded] of talks.value) {
    const node = loaded.nodes?.get(id);
    if (node) return { node, talk };
  }
  const node = outside.value?.find((step) => step.id === id);
  return node ? { node, talk: "" } : undefined;
}

/** The selected node, when it is loaded. */
export const selection = computed(() => (selected.value ? findNode(selected.value) : undefined));

function writeAddress() {
  const main = overview.value?.streams.find((row) => row.role === "main")?.name;
  replaceQuery({
    talk: currentTalk.value,
    step: selected.value,
    stream: currentStream.value && currentStream.value.name !== main ? currentStream.value.name : "",
    depth: depth.value === "tools" ? "" : depth.value,
  });
}

/** Runs a change of state as one, then writes the address. */
function change(action) {
  batch(action);
  writeAddress();
}

function storeTalk(id, loaded) {
  const next = new Map(talks.value);
  next.set(id, loaded);
  talks.value = next;
}

/** @type {Map<string, Promise<LoadedTalk>>} */
const inFlight = new Map();

/**
 * Loads a talk once; a second call gives the same answer.
 * @param {string} id
 * @param {boolean} [again] Ask the server although the talk is loaded.
 * @returns {Promise<LoadedTalk>}
 */
export function loadTalk(id, again = false) {
  const known = talks.value.get(id);
  if (known?.status === "ready" && !again) return Promise.resolve(known);
  const running = inFlight.get(id);
  if (running) return running;
  if (known?.status !== "ready") storeTalk(id, { status: "loading" });
  const work = readTalk(conversationId, id)
    .then((root) => ({ status: /** @type {"ready"} */ ("ready"), root, steps: stepsOf(root), nodes: nodesById(root) }))
    .catch((error) => ({ status: /** @type {"failed"} */ ("failed"), error }))
    .then((loaded) => {
      inFlight.delete(id);
      storeTalk(id, loaded);
      return loaded;
    });
  inFlight.set(id, work);
  return work;
}

/** Opens or closes the fold of a talk. */
export function toggleTalk(id) {
  change(() => {
    const next = new Set(unfolded.value);
    if (next.has(id)) next.delete(id);
    else {
      next.add(id);
      loadTalk(id);
    }
    unfolded.value = next;
    currentTalk.value = id;
  });
}

function unfold(id) {
  if (unfolded.value.has(id)) return;
  unfolded.value = new Set(unfolded.value).add(id);
}

/** Makes a talk the current one and scrolls to it. */
export function goToTalk(id) {
  const row = talkRow(id);
  if (!row) return;
  change(() => {
    streamName.value = row.stream;
    currentTalk.value = id;
    selected.value = "";
    pane.value = "transcript";
    drawerOpen.value = false;
    scrollWish.value = { key: `talk:${id}`, align: "start", focus: false };
  });
}

/** Shows a stream from its first talk on, or from the talk given. */
export function showStream(name, talk = "") {
  const row = streamRow(name);
  if (!row) return;
  change(() => {
    streamName.value = row.name;
    currentTalk.value = talk || row.talk || talksOf(row.name)[0]?.id || "";
    selected.value = "";
    pane.value = "transcript";
    drawerOpen.value = false;
    scrollWish.value = { key: `talk:${currentTalk.value}`, align: "start", focus: false };
  });
  announce(`Stream ${streamTitle(row)}`);
}

/** The row that stands for a step in the transcript. */
export function rowKeyOf(id, talk) {
  const loaded = talks.value.get(talk);
  if (loaded?.steps) {
    if (openingOf(loaded.steps)?.id === id) return `opening:${talk}`;
    if (replyOf(loaded.steps)?.id === id) return `reply:${talk}`;
  }
  return `step:${id}`;
}

/**
 * Selects a loaded step.
 * @param {string} id
 * @param {{tab?: string, scroll?: boolean, focus?: boolean}} [how]
 */
export function selectStep(id, { tab = "", scroll = false, focus = false } = {}) {
  choices += 1;
  const found = findNode(id);
  change(() => {
    selected.value = id;
    if (found?.talk && talkRow(found.talk)?.stream === currentStream.value?.name) currentTalk.value = found.talk;
    if (tab) inspectorTab.value = tab;
    if (scroll && found) {
      const key = rowKeyOf(id, found.talk);
      if (found.talk && key.startsWith("step:")) unfold(found.talk);
      scrollWish.value = { key, align: "near", focus };
    }
  });
}

/** Counts choices of the reader, so that a late answer does not undo a later choice. */
let choices = 0;

/** Selects the opening or the reply of a talk; loads the talk when it is not there yet. */
export async function selectEnd(talk, end, how = {}) {
  choices += 1;
  const choice = choices;
  const loaded = await loadTalk(talk);
  if (choice !== choices) return;
  const step = loaded.steps && (end === "reply" ? replyOf(loaded.steps) : openingOf(loaded.steps));
  if (step) selectStep(step.id, how);
  else selectTalk(talk);
}

/** Shows the facts of a talk in the inspector. */
export function selectTalk(id) {
  loadTalk(id);
  change(() => {
    selected.value = id;
    currentTalk.value = id;
  });
}

export function clearSelection() {
  choices += 1;
  change(() => {
    selected.value = "";
  });
}

/** @param {string} value One of `DEPTHS`. */
export function setDepth(value) {
  change(() => {
    depth.value = value;
  });
  announce(`Depth: ${value}`);
}

export function nextDepth() {
  setDepth(DEPTHS[(DEPTHS.indexOf(depth.value) + 1) % DEPTHS.length]);
}

/** Opens the step of another talk: loads it, unfolds it, selects it. */
export async function goToStep(id, talk) {
  if (!talk) {
    selectStep(id, { scroll: true, focus: true });
    return;
  }
  await loadTalk(talk);
  const row = talkRow(talk);
  batch(() => {
    if (row) streamName.value = row.stream;
    pane.value = "transcript";
  });
  selectStep(id, { scroll: true, focus: true });
}

/**
 * What must be loaded again on a new round: open talks and the one with the selection. The rest
 * is forgotten and loaded when it is opened.
 */
async function refreshTalks() {
  const wanted = new Set([...unfolded.value, currentTalk.value, selection.value?.talk].filter(Boolean));
  const kept = new Map([...talks.value].filter(([id]) => wanted.has(id)));
  talks.value = kept;
  await Promise.all([...kept.keys()].filter((id) => talkRow(id)).map((id) => loadTalk(id, true)));
}

async function loadOutside() {
  try {
    outside.value = await readOutside(conversationId);
  } catch {
    outside.value = outside.value ?? [];
  }
}

/** Loads the first view: overview, the talk and the step that the address names. */
export async function start() {
  failure.value = null;
  let loaded;
  try {
    loaded = await readOverview(conversationId);
  } catch (error) {
    failure.value = /** @type {Error} */ (error);
    return;
  }
  batch(() => {
    overview.value = loaded;
    const named = talkRow(currentTalk.value);
    if (named) streamName.value = named.stream;
    else currentTalk.value = streamTalks.value[0]?.id ?? loaded.talks[0]?.id ?? "";
    if (!streamTalks.value.length && !named && currentTalk.value) {
      const first = talkRow(currentTalk.value);
      if (first && !streamName.value) streamName.value = first.stream;
    }
  });
  loadOutside();
  const rows = streamTalks.value;
  if (rows.length === 1 && rows[0].steps <= UNFOLD_AT_MOST) {
    unfold(rows[0].id);
    loadTalk(rows[0].id);
  }
  if (asked.step && currentTalk.value) {
    await loadTalk(currentTalk.value);
    if (findNode(asked.step)) selectStep(asked.step, { scroll: true, focus: true });
    else if (asked.talk) scrollWish.value = { key: `talk:${currentTalk.value}`, align: "start", focus: false };
  } else if (asked.talk) {
    scrollWish.value = { key: `talk:${currentTalk.value}`, align: "start", focus: false };
  }
  follow();
}

/** Takes a new round in. What is open, selected and read stays. */
async function takeRound(rounds) {
  const before = overview.value;
  if (!before || rounds <= before.rounds) return;
  let next;
  try {
    next = await readOverview(conversationId);
  } catch (error) {
    failure.value = /** @type {Error} */ (error);
    return;
  }
  const stepCount = (shown) => shown.talks.reduce((sum, talk) => sum + talk.steps, 0);
  batch(() => {
    overview.value = next;
    newSteps.value += Math.max(0, stepCount(next) - stepCount(before));
  });
  await Promise.all([refreshTalks(), loadOutside()]);
  if (selected.value && !findNode(selected.value)) clearSelection();
  announce(`Round ${next.rounds}, ${newSteps.value} new steps`);
}

let pollTimer = 0;

async function poll() {
  if (document.visibilityState !== "visible") return;
  try {
    const head = await readHead(conversationId);
    if (following.value === "lost") following.value = "polling";
    await takeRound(head.rounds);
  } catch {
    following.value = "lost";
  }
}

function startPolling() {
  if (pollTimer) return;
  following.value = "polling";
  pollTimer = window.setInterval(poll, POLL_MS);
}

/** @type {EventSource | null} */
let source = null;

/** A hidden page lets its connection go: a browser has only a few for one server. */
function stopListening() {
  source?.close();
  source = null;
}

function startListening() {
  stopListening();
  source = new EventSource(eventsPath(conversationId));
  source.addEventListener("open", () => {
    following.value = "events";
    window.clearInterval(pollTimer);
    pollTimer = 0;
  });
  source.addEventListener("round", (event) => {
    try {
      takeRound(Number(JSON.parse(event.data).rounds));
    } catch {
      poll();
    }
  });
  source.addEventListener("error", startPolling);
}

/** Server-sent events; while they cannot be had, the head is asked every ten seconds. */
function follow() {
  startListening();
  window.addEventListener("pagehide", stopListening);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") startListening();
    else stopListening();
  });
}
