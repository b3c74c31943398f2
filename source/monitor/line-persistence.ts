import { join } from 'node:path';
import {
	readPrivately,
	refusePublicStateFolder,
	writePrivately,
} from '../accounts/private-file.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { cleanLine } from '../platform/decoding/clean.ts';
import { type LineHistories, maxHistoryLines, withLineEntered } from '../screen/line-history.ts';
import type { Screen } from '../screen/screen.ts';

/** The typed texts that are kept for the next start. */
type SavedLines = Pick<Screen, 'lineHistories' | 'savedFilters'>;

export type LineKeeper = {
	restore(): SavedLines;
	/** Saves what has changed since the last call. What other processes have saved in the meantime is kept. */
	save(lines: SavedLines): void;
	/** Treats these lines as already saved, because they belong to another account. */
	skip(lines: SavedLines): void;
};

const fileVersion = 1;
const maxFields = 50;
const maxFilters = 200;
const maxLineLength = 1000;

const emptyLines: SavedLines = { lineHistories: {}, savedFilters: {} };

/**
 * Creates a keeper for the history of the text fields and for the named filters of an account. A damaged file is
 * ignored, and a file of a newer version is neither used nor replaced.
 */
export function createLineKeeper(
	directory: string,
	account: string,
	onTrouble: (message: string) => void = () => {},
): LineKeeper {
	const path = join(directory, `lines-${shortHash(account)}.json`);
	let last = emptyLines;
	let isNewer = false;

	function linesOnDisk(): SavedLines {
		try {
			const value: unknown = JSON.parse(readPrivately(path) ?? '{}');
			const { version }: Record<string, unknown> = { ...Object(value) };
			isNewer = typeof version === 'number' && version > fileVersion;
			return isNewer ? emptyLines : savedLinesFrom(value);
		} catch {
			return emptyLines;
		}
	}

	return {
		restore() {
			last = linesOnDisk();
			if (isNewer)
				onTrouble(`${path} was written by a newer version of crowsnest and is left alone`);
			return last;
		},
		save(lines) {
			if (lines.lineHistories === last.lineHistories && lines.savedFilters === last.savedFilters)
				return;
			try {
				const merged = mergedLines(linesOnDisk(), last, lines);
				last = lines;
				if (isNewer) return;
				refusePublicStateFolder(directory);
				const { lineHistories, savedFilters } = merged;
				const saved = { version: fileVersion, lines: lineHistories, filters: savedFilters };
				writePrivately(path, `${JSON.stringify(saved)}\n`);
			} catch {
				// A failure to save is ignored: then the next start has an older history.
			}
		},
		skip(lines) {
			last = lines;
		},
	};
}

/** Returns the lines on the disk with the changes between `before` and `after` applied. */
function mergedLines(disk: SavedLines, before: SavedLines, after: SavedLines): SavedLines {
	let { lineHistories } = disk;
	for (const [field, lines] of Object.entries(after.lineHistories)) {
		for (const line of enteredLines(before.lineHistories[field] ?? [], lines))
			lineHistories = withLineEntered(lineHistories, field, line);
	}
	const savedFilters = new Map(Object.entries(disk.savedFilters));
	for (const name of Object.keys(before.savedFilters))
		if (!Object.hasOwn(after.savedFilters, name)) savedFilters.delete(name);
	for (const [name, filter] of Object.entries(after.savedFilters))
		if (before.savedFilters[name] !== filter) savedFilters.set(name, filter);
	return { lineHistories, savedFilters: Object.fromEntries(savedFilters) };
}

/**
 * Returns the lines that were entered between `before` and `after`. A line that was entered again has moved to the
 * end.
 */
function enteredLines(before: readonly string[], after: readonly string[]): readonly string[] {
	let from = 0;
	return after.filter(line => {
		const at = before.indexOf(line, from);
		if (at >= 0) from = at + 1;
		return at < 0;
	});
}

function savedLinesFrom(value: unknown): SavedLines {
	const { lines, filters }: Record<string, unknown> = { ...Object(value) };
	const savedFilters = entriesOf(filters, maxFilters).flatMap(([name, filter]) =>
		typeof filter === 'string' ? [[name, cleanLine(filter).slice(0, maxLineLength)] as const] : [],
	);
	return {
		lineHistories: lineHistoriesFrom(lines),
		savedFilters: Object.fromEntries(savedFilters),
	};
}

function lineHistoriesFrom(value: unknown): LineHistories {
	return Object.fromEntries(
		entriesOf(value, maxFields).map(([field, lines]) => {
			const texts: readonly unknown[] = Array.isArray(lines) ? lines : [];
			const kept = texts.filter(text => typeof text === 'string').slice(-maxHistoryLines);
			return [field, kept.map(text => cleanLine(text).slice(0, maxLineLength))];
		}),
	);
}

const entriesOf = (value: unknown, maxCount: number) =>
	Object.entries({ ...Object(value) } as Record<string, unknown>)
		.slice(0, maxCount)
		.map(([name, each]) => [cleanLine(name).slice(0, 100), each] as const);
