import * as v from '../foundation/schema.ts';
import { isObject, jsonFrom, validatorOf } from '../foundation/validate.ts';
import { entryTable, type LedgerEntry } from './ledger-state.ts';
import { documentedLimits, scopes, slotLifetimeMs } from './limits.ts';

// How an entry is written in a file: an empty line, then the length of its JSON and the JSON.
//
//   ⏎
//   112 {"scope":"status","at":5210,"date":1795248005210,"kind":"take","id":"71-k2.1","number":8,"hold":…}⏎
//
// The leading line break ends a line that a killed process left incomplete. The length distinguishes such a
// torn line, which counts for nothing, from a broken file. Everything is ASCII.
//
// In every version the JSON begins with the scope, the time by the host's clock, and the time by the wall
// clock. So a version that does not know the kind of an entry can still count the entry as one
// request, and another host can compute the age of the entry.

/** The time of writing an entry: by the ledger's clock, and how far the wall clock is ahead of it. */
type WriteTime = { now: number; wallClockAheadMs: number };

export function textFromEntry(entry: LedgerEntry, { now, wallClockAheadMs }: WriteTime): string {
	const at = 'at' in entry ? entry.at : now;
	const { scope, ...fields } = { scope: 'all', ...entry };
	const json = JSON.stringify({ scope, at, date: Math.round(at + wallClockAheadMs), ...fields });
	return `\n${json.length} ${json}\n`;
}

/**
 * Reads from a line when it was written, by both clocks. Undefined for lines of old versions, which lack these
 * times.
 */
export function writeTimesOf(line: string): { at: number; date: number } | undefined {
	const [, at, date] = /^\d+ \{"scope":"\w+","at":([\d.]+),"date":([\d.]+),/.exec(line) ?? [];
	return at === undefined ? undefined : { at: Number(at), date: Number(date) };
}

type UnreadableLine =
	/**
	 * A torn line was only partly written, or its scope does not exist in this version; it is ignored. A broken line
	 * is damaged.
	 */
	'torn' | 'broken';

export function entryFromLine(line: string): LedgerEntry | UnreadableLine {
	const [, length, json] = /^(\d*)(?: ([ -~]*))?$/.exec(line) ?? [];
	if (length === undefined) return 'broken';
	// A torn line took no slot, because a process uses a slot only after it has read its entry back.
	if (json === undefined || json.length < Number(length)) return 'torn';
	return json.length === Number(length) ? entryFromJson(json) : 'broken';
}

const { isValid: isEntry, copy } = validatorOf(v.unionOf(entryTable, {}, 'kind'));
const { isValid: isUnknownEntry } = validatorOf(v.object({ scope: v.word, at: v.count }));
const { isValid: hasHold } = validatorOf(v.object({ hold: v.count }));

function entryFromJson(json: string): LedgerEntry | UnreadableLine {
	const value = jsonFrom(json);
	// Returns the entry without the times at which it was written.
	if (isEntry(value)) return copy(value, text => text);
	const kind = isObject(value) ? value['kind'] : undefined;
	const isOfNewerVersion = typeof kind === 'string' && !Object.hasOwn(entryTable, kind);
	return isOfNewerVersion ? unknownEntryFrom(value, json) : 'broken';
}

/** Reads an entry of a newer version. If its scope does not exist in this version, the entry is skipped. */
function unknownEntryFrom(value: unknown, json: string): LedgerEntry | UnreadableLine {
	if (!isUnknownEntry(value)) return 'broken';
	const scope = scopes.find(each => each === value.scope);
	if (!scope) return 'torn';
	const rule = documentedLimits[scope];
	const maxHoldMs = rule.maxTransitMs + slotLifetimeMs(rule);
	const hold = hasHold(value) ? value.hold : maxHoldMs;
	return { kind: 'unknown', scope, id: json, number: 0, at: value.at, hold };
}
