import type { Freeze, LedgerEntry, ServerReport, Spend } from './ledger-state.ts';
import { documentedLimits, type Scope, scopes, slotLifetimeMs } from './limits.ts';

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
	 * A torn line was only partly written, or concerns no scope of this version. It counts for nothing. A broken
	 * line is damaged.
	 */
	'torn' | 'broken';

export function entryFromLine(line: string): LedgerEntry | UnreadableLine {
	const [, length, json] = /^(\d*)(?: ([ -~]*))?$/.exec(line) ?? [];
	if (length === undefined) return 'broken';
	// A torn line took no slot, because a process uses a slot only after it has read its entry back.
	if (json === undefined || json.length < Number(length)) return 'torn';
	return json.length === Number(length) ? entryFromJson(json) : 'broken';
}

function entryFromJson(json: string): LedgerEntry | UnreadableLine {
	const value = parseJson(json);
	if (!isRecord(value)) return 'broken';
	const { kind } = value;
	if (kind === 'sealed') return { kind };
	if (kind === 'take' || kind === 'done' || kind === 'carried') {
		return isScoped(value) ? withoutWriteTimes(value) : 'broken';
	}
	return typeof kind === 'string' ? unknownEntryFrom(value, json) : 'broken';
}

type ScopedEntry = Exclude<LedgerEntry, { kind: 'sealed' | 'unknown' }>;

function withoutWriteTimes(value: ScopedEntry): LedgerEntry {
	const { date, ...entry } = { date: undefined, ...value };
	if (entry.kind !== 'carried') return entry;
	const { at, ...carried } = { at: undefined, ...entry };
	return carried;
}

/** Reads an entry of a newer version. If its scope does not exist in this version, the entry is skipped. */
function unknownEntryFrom({ scope, at, hold }: Fields, json: string): LedgerEntry | UnreadableLine {
	if (!isCount(at) || typeof scope !== 'string') return 'broken';
	const knownScope = scopes.find(each => each === scope);
	if (!knownScope) return 'torn';
	const rule = documentedLimits[knownScope];
	const maxHoldMs = rule.maxTransitMs + slotLifetimeMs(rule);
	return {
		kind: 'unknown',
		scope: knownScope,
		id: json,
		number: 0,
		at,
		hold: isCount(hold) ? hold : maxHoldMs,
	};
}

function isScoped(value: Fields): value is Fields & ScopedEntry {
	if (!scopes.includes(value['scope'] as Scope)) return false;
	const hasValidReports =
		isMissingOr(value['heard'], isServerReport) && isMissingOr(value['freeze'], isFreeze);
	switch (value['kind']) {
		case 'take':
			return isSpend(value);
		case 'done':
			return isSpend(value) && hasValidReports;
		case 'carried': {
			const spends = value['spends'];
			return (
				hasValidReports &&
				isCount(value['taken']) &&
				isMissingOr(value['fullSince'], isCount) &&
				Array.isArray(spends) &&
				spends.every(isSpend)
			);
		}
		default:
			return false;
	}
}

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isCount = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0;

const isMissingOr = (value: unknown, isValid: (value: unknown) => boolean) =>
	value === undefined || isValid(value);

const isInterval = (value: unknown, ...countNames: string[]): value is Fields =>
	isRecord(value) && ['number', 'at', 'hold', ...countNames].every(name => isCount(value[name]));

const isSpend = (value: unknown): value is Fields & Spend =>
	isInterval(value) && typeof value['id'] === 'string';

const isFreeze = (value: unknown): value is Fields & Freeze => isInterval(value, 'times');

const isServerReport = (value: unknown): value is Fields & ServerReport =>
	isInterval(value, 'foreign') &&
	isMissingOr(value['limit'], isCount) &&
	isMissingOr(value['limitAge'], isCount) &&
	isMissingOr(value['remaining'], isCount);

function parseJson(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}
