// @ts-check
/**
 * The JSON shapes that the server answers with. All times are integer milliseconds since the
 * Unix epoch, 0 means that no time is known; sizes are bytes.
 */

/**
 * @typedef {{seq: number, row: number, block?: number, session?: string}} Ref
 *   A landed position. `block` counts from 0; `session` only outside the first session.
 *
 * @typedef {{in?: number, out?: number, cache_read?: number, cache_write?: number}} Tokens
 *
 * @typedef {Object} ConversationRow
 * @property {string} id
 * @property {string} title
 * @property {number} talks
 * @property {number} streams
 * @property {number} segments
 * @property {number} steps
 * @property {number} rounds
 * @property {number} from
 * @property {number} to
 * @property {number} unresolved
 * @property {number} [main_talks] Talks without those of children.
 * @property {string} [project]
 * @property {string} [agent_version]
 * @property {string} [ask] Beginning of the first thing a person wrote, without a title.
 * @property {Tokens} [tokens]
 * @property {number} [at_least] Calls whose token numbers are only a lower bound.
 * @property {number|boolean} [open]
 * @property {"quiet"|"live"|"source gone"|"unknown"} [state]
 * @property {string} [error]
 *
 * @typedef {Object} TalkRow
 * @property {string} id
 * @property {string} stream
 * @property {string} label
 * @property {number} runs
 * @property {number} steps
 * @property {number} tools
 * @property {number} from
 * @property {number} to
 * @property {boolean} child
 * @property {Ref} [ref]
 * @property {string} [segment]
 * @property {string} [reply]
 * @property {number} [label_bytes]
 * @property {number} [reply_bytes]
 * @property {"external"|"notification"|"unknown"} [trigger]
 * @property {number} [failed]
 * @property {number} [agents]
 * @property {number} [files]
 * @property {number} [tokens_out]
 * @property {string} [inherited_from]
 * @property {string} [quality]
 * @property {string[]} [kinds]
 *
 * @typedef {Object} StreamRow
 * @property {string} id
 * @property {string} name
 * @property {string} role
 * @property {string} label
 * @property {string} named_by
 * @property {number} records
 * @property {string} parent
 * @property {string} talk
 * @property {number} steps
 * @property {Tokens} [tokens]
 * @property {string} [carried] Why its records stand in its parent's file.
 * @property {{step: string, stream: string, quality: string, talk: string}[]} opened_by
 *
 * @typedef {Object} SegmentRow
 * @property {string} id
 * @property {string} state
 * @property {number} talks
 * @property {number} from
 * @property {number} to
 * @property {boolean} [committable]
 * @property {string[]} [gates_unmet]
 *
 * @typedef {{kind: string, ref: string, reason: string, id?: string}} OpenEntry
 *
 * @typedef {Object} Overview
 * @property {string} id
 * @property {string} title
 * @property {string} session
 * @property {number} rounds
 * @property {string} digest
 * @property {string} parser
 * @property {string} policy
 * @property {number} through_seq
 * @property {number} nodes
 * @property {number} relations
 * @property {Record<string, number>} kinds
 * @property {Record<string, number>} relation_types
 * @property {Record<string, number>} quality
 * @property {TalkRow[]} talks
 * @property {OpenEntry[]} unresolved
 * @property {StreamRow[]} streams
 * @property {SegmentRow[]} segments
 * @property {Tokens} [tokens]
 * @property {number} [at_least]
 * @property {Tokens} [tokens_inherited]
 * @property {{session: string, records: number, quality: string}[]} [inherits]
 * @property {string} [project]
 * @property {string} [agent_version]
 * @property {string} [state]
 *
 * @typedef {{type: string, other: string, dir: "out"|"in", quality: string, via?: string}} Edge
 * @typedef {{stream: string, label: string, talk: string, quality: string}} Opened
 * @typedef {{media: string, data?: string, state?: string, bytes?: number}} MediaPart
 *
 * @typedef {Object} TreeNode
 * @property {string} id
 * @property {string} kind
 * @property {string} [parent]
 * @property {string} [stream]
 * @property {number} at
 * @property {Ref} [ref]
 * @property {Ref[]} [refs]
 * @property {Record<string, any>} [attrs]
 * @property {string} [text]
 * @property {string} [name]
 * @property {boolean} [failed]
 * @property {string} [state]
 * @property {number} [bytes]
 * @property {string} [result]
 * @property {string} [result_state]
 * @property {number} [result_bytes]
 * @property {number} [duration_ms]
 * @property {string} [duration_measured_by]
 * @property {number} [request_to_result_ms]
 * @property {string} [request_to_result_join]
 * @property {TreeNode[]} [children]
 * @property {Edge[]} [edges]
 * @property {MediaPart[]} [media]
 * @property {any} [input]
 * @property {any} [structured]
 * @property {Opened[]} [opens]
 * @property {string} [usage_state]
 * @property {Tokens} [tokens]
 *
 * @typedef {Object} Part
 * @property {string} k
 * @property {string} [text]
 * @property {any} [data]
 * @property {string} [id]
 * @property {string} [of]
 * @property {string} [name]
 * @property {boolean} [failed]
 * @property {string} [media]
 * @property {string} state
 * @property {number} [bytes]
 *
 * @typedef {Object} RecordAnswer
 * @property {number} seq
 * @property {number} row
 * @property {number} at
 * @property {string} file
 * @property {string} dialect
 * @property {Record<string, any> & {parts?: Part[], dropped?: {what: string, bytes: number, why?: string}[]}} record
 */

export {};
