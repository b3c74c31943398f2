import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { appendPrivately, readPrivately, undefinedIfMissing } from '../accounts/private-file.ts';
import { type Change, changeSchema } from '../fleet/change.ts';
import * as v from '../foundation/schema.ts';
import { jsonFrom, validatorOf } from '../foundation/schema.ts';
import { changesBetween } from '../store/change-log.ts';
import type { AccountState } from '../store/state.ts';

const formatVersion = 1;

/** When the reason of an error is read later, the change is stored once more, and the reader merges the two. */
export function changesToKeep(
	before: AccountState,
	after: AccountState,
	process: string,
): readonly Change[] {
	const { explainedChanges = [] } = after;
	const explained = explainedChanges === before.explainedChanges ? [] : explainedChanges;
	return [...explained, ...changesBetween(before, after)].map(change =>
		change.type === 'operationMoved' && change.pane === undefined
			? { ...change, pane: process }
			: change,
	);
}

export function logLine(account: string, what: Change, machine?: string): string {
	const ofOperation = what.type === 'operationMoved' ? { machine } : {};
	return JSON.stringify({ version: formatVersion, account, what, ...ofOperation });
}

const entrySchema = v.object({
	version: v.literal(formatVersion),
	account: v.word,
	what: changeSchema,
	machine: v.optional(v.word),
});
const { isValid: isEntry } = validatorOf(entrySchema);

/** Undefined if the line is damaged, or tells of another account. */
export function changeIn(line: string, account: string, ownMachine?: string): Change | undefined {
	// With several accounts, each would parse the lines of all at the start.
	const entry = line.includes(JSON.stringify(account)) ? jsonFrom(line) : undefined;
	if (!isEntry(entry) || entry.account !== account) return undefined;
	const { what, machine } = entry;
	const isHere = machine === undefined || machine === ownMachine;
	return what.type === 'operationMoved' && !isHere ? { ...what, isElsewhere: true } : what;
}

export function withoutOwnPane(change: Change, process: string): Change {
	if (change.type !== 'operationMoved' || change.isElsewhere || change.pane !== process)
		return change;
	const { pane: _, ...own } = change;
	return own;
}

// The log of all accounts: `2026-11-001.jsonl`, `2026-11-002.jsonl`, … All processes append whole lines.

const fullBytes = 2_000_000;

const filesKept = 4;

const maxBytes = 20_000_000;

/** A killed process may have left a torn line. */
export function appendLines(directory: string, lines: readonly string[], now: number): void {
	const names = logFiles(directory);
	const name = fileToAppend(directory, names.at(-1), now);
	appendPrivately(join(directory, name), `\n${lines.join('\n')}\n`);
	if (names.includes(name)) return;
	for (const old of [...names, name].slice(0, -filesKept))
		rmSync(join(directory, old), { force: true });
}

function fileToAppend(directory: string, newest: string | undefined, now: number): string {
	const month = new Date(now).toISOString().slice(0, 7);
	if (newest === undefined || newest.slice(0, 7) < month) return `${month}-001.jsonl`;
	const stats = statSync(join(directory, newest), { throwIfNoEntry: false });
	if (!stats || stats.size < fullBytes) return newest;
	const next = String(Number(newest.slice(8, 11)) + 1).padStart(3, '0');
	return `${newest.slice(0, 7)}-${next}.jsonl`;
}

export function logFiles(directory: string): readonly string[] {
	const names = undefinedIfMissing(() => readdirSync(directory)) ?? [];
	return names.filter(name => /^\d{4}-\d\d-\d{3}\.jsonl$/.test(name)).toSorted();
}

export const readLines = (directory: string): readonly string[] =>
	logFiles(directory).flatMap(name => wholeLines(directory, name));

export type LoggedLine = { text: string; place: string };

const placeIn = (name: string, lines: number) => `${name} ${String(lines).padStart(9, '0')}`;

export const beginningOfLog = placeIn('0', 0);

export function endOfLog(directory: string): string {
	const name = logFiles(directory).at(-1);
	return name ? placeIn(name, wholeLines(directory, name).length) : beginningOfLog;
}

export function createLogTail(
	directory: string,
	from: 'beginning' | 'end' = 'end',
): () => readonly LoggedLine[] {
	let name = from === 'end' ? (logFiles(directory).at(-1) ?? '') : '';
	let [size, lineCount] = [0, 0];
	rest();

	function rest(): readonly LoggedLine[] {
		const stats = statSync(join(directory, name), { throwIfNoEntry: false });
		if (name === '' || !stats || stats.size === size) return [];
		size = stats.size;
		const lines = wholeLines(directory, name);
		const begin = lineCount;
		lineCount = lines.length;
		return lines.slice(begin).map((text, at) => ({ text, place: placeIn(name, begin + at + 1) }));
	}

	return () => {
		const lines = [...rest()];
		for (const newer of logFiles(directory).filter(each => each > name)) {
			name = newer;
			[size, lineCount] = [0, 0];
			lines.push(...rest());
		}
		return lines;
	};
}

/** A line that is being written, or was torn, is none yet. */
function wholeLines(directory: string, name: string): readonly string[] {
	const text = readPrivately(join(directory, name), maxBytes) ?? '';
	return text
		.split('\n')
		.slice(0, -1)
		.filter(line => line !== '');
}
