// @ts-check
/** The state of a page that its address holds. It is replaced, never pushed. */

/** The conversation id in `/c/{id}`, decoded; empty on another path. */
export function conversationIdOf(path) {
  const match = /^\/c\/([^/]+)\/?$/.exec(path);
  if (!match) return "";
  try {
    return decodeURIComponent(match[1]);
  } catch {
    return match[1];
  }
}

/**
 * @param {string} id
 * @param {Record<string, string>} [state] Empty values are left out.
 */
export function conversationUrl(id, state = {}) {
  return `/c/${encodeURIComponent(id)}${queryOf(state)}`;
}

/** @param {Record<string, string>} state */
export function queryOf(state) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) if (value) query.set(key, value);
  const text = query.toString().replaceAll("%2F", "/");
  return text ? `?${text}` : "";
}

/** @returns {Record<string, string>} */
export function readQuery() {
  return Object.fromEntries(new URLSearchParams(window.location.search));
}

/** @param {Record<string, string>} state */
export function replaceQuery(state) {
  const address = `${window.location.pathname}${queryOf(state)}`;
  if (address !== `${window.location.pathname}${window.location.search}`) {
    window.history.replaceState(null, "", address);
  }
}
