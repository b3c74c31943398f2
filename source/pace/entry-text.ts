import { type Entry, type Freeze, type Heard, type Spend, scopes } from './book.ts';
import type { Scope } from './gate.ts';

// An entry on disk: a line break, the length of its JSON, the JSON, and a line break. The first one
// parts it from what a process that was killed while writing may have left, the length tells such a
// torn entry from a broken one. All of it is ASCII.

export function textFromEntry(entry: Entry): string {
	const json = JSON.stringify(entry);
	return `\n${json.length} ${json}\n`;
}

export type Unreadable = 'torn' | 'broken';

export function entryFromLine(line: string): Entry | Unreadable {
	const [, length, json] = /^(\d*)(?: ([ -~]*))?$/.exec(line) ?? [];
	if (length === undefined) return 'broken';
	// The writer never read it back whole, and so took nothing.
	if (json === undefined || json.length < Number(length)) return 'torn';
	return (json.length === Number(length) && entryFromJson(json)) || 'broken';
}

function entryFromJson(json: string): Entry | undefined {
	const value = parsed(json);
	if (!isRecord(value)) return undefined;
	if (value['kind'] === 'sealed') return { kind: 'sealed' };
	return isScoped(value) ? value : undefined;
}

function isScoped(value: Fields): value is Fields & Exclude<Entry, { kind: 'sealed' }> {
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

const isHeard = (value: unknown): value is Fields & Heard =>
	isSpan(value, 'foreign') &&
	isOptional(value['limit'], isCount) &&
	isOptional(value['remaining'], isCount);

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}
