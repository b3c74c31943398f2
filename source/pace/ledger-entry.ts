import {
	type Freeze,
	type LedgerEntry,
	type ServerReport,
	type Spend,
	scopes,
} from './ledger-state.ts';
import { documentedLimits, type Scope, slotLifetime } from './limits.ts';

// An entry on disk: a line break, the length of its JSON, the JSON, and a line break. The first one
// parts it from what a process that was killed while writing may have left, the length tells such a
// torn entry from a broken one. All of it is ASCII.
//
// The JSON of every entry, in every version, begins with its scope, its time by the clock of its host and
// its time by the wall's clock. So a version that does not know an entry's kind still counts one request,
// and another host can tell how old it is.

/** When an entry was written: by the ledger's clock, and how far the wall's is ahead of that. */
export type WriteTime = { now: number; ahead: number };

export function textFromEntry(entry: LedgerEntry, { now, ahead }: WriteTime): string {
	const at = 'at' in entry ? entry.at : now;
	const { scope, ...fields } = { scope: 'all', ...entry };
	const json = JSON.stringify({ scope, at, date: Math.round(at + ahead), ...fields });
	return `\n${json.length} ${json}\n`;
}

/** When an entry was written, by its host's clock and by the wall's. Entries of old did not say. */
export function stampOf(line: string): { at: number; date: number } | undefined {
	const [, at, date] = /^\d+ \{"scope":"\w+","at":([\d.]+),"date":([\d.]+),/.exec(line) ?? [];
	return at === undefined ? undefined : { at: Number(at), date: Number(date) };
}

export type Unreadable =
	/** It counts for nothing. */
	'torn' | 'broken';

export function entryFromLine(line: string): LedgerEntry | Unreadable {
	const [, length, json] = /^(\d*)(?: ([ -~]*))?$/.exec(line) ?? [];
	if (length === undefined) return 'broken';
	// The writer never read it back whole, and so took nothing.
	if (json === undefined || json.length < Number(length)) return 'torn';
	return json.length === Number(length) ? entryFromJson(json) : 'broken';
}

function entryFromJson(json: string): LedgerEntry | Unreadable {
	const value = parsed(json);
	if (!isRecord(value)) return 'broken';
	const { kind } = value;
	if (kind === 'sealed') return { kind };
	if (kind === 'take' || kind === 'done' || kind === 'carried') {
		return isScoped(value) ? withoutStamp(value) : 'broken';
	}
	return typeof kind === 'string' ? unknownFrom(value, json) : 'broken';
}

function withoutStamp(value: Exclude<LedgerEntry, { kind: 'sealed' | 'unknown' }>): LedgerEntry {
	const { date, ...entry } = { date: undefined, ...value };
	if (entry.kind !== 'carried') return entry;
	const { at, ...carried } = { at: undefined, ...entry };
	return carried;
}

/** What a newer version wrote. A scope that this version does not know is not its business. */
function unknownFrom({ scope, at, hold }: Fields, json: string): LedgerEntry | Unreadable {
	if (!isCount(at) || typeof scope !== 'string') return 'broken';
	const known = scopes.find(each => each === scope);
	if (!known) return 'torn';
	const rule = documentedLimits[known];
	const longest = rule.maxTransit + slotLifetime(rule);
	return {
		kind: 'unknown',
		scope: known,
		id: json,
		number: 0,
		at,
		hold: isCount(hold) ? hold : longest,
	};
}

function isScoped(
	value: Fields,
): value is Fields & Exclude<LedgerEntry, { kind: 'sealed' | 'unknown' }> {
	if (!scopes.includes(value['scope'] as Scope)) return false;
	const isLesson = isOptional(value['heard'], isHeard) && isOptional(value['freeze'], isFreeze);
	switch (value['kind']) {
		case 'take':
			return isSpend(value);
		case 'done':
			return isSpend(value) && isLesson;
		case 'carried': {
			const spends = value['spends'];
			return (
				isLesson &&
				isCount(value['taken']) &&
				isOptional(value['fullSince'], isCount) &&
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

const isOptional = (value: unknown, is: (value: unknown) => boolean) =>
	value === undefined || is(value);

const isSpan = (value: unknown, ...counts: string[]): value is Fields =>
	isRecord(value) && ['number', 'at', 'hold', ...counts].every(name => isCount(value[name]));

const isSpend = (value: unknown): value is Fields & Spend =>
	isSpan(value) && typeof value['id'] === 'string';

const isFreeze = (value: unknown): value is Fields & Freeze => isSpan(value, 'times');

const isHeard = (value: unknown): value is Fields & ServerReport =>
	isSpan(value, 'foreign') &&
	isOptional(value['limit'], isCount) &&
	isOptional(value['limitAge'], isCount) &&
	isOptional(value['remaining'], isCount);

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}
