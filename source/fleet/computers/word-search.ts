import { memoize } from '../../foundation/memoize.ts';
import type { Phase, Reading } from './computer.ts';
import type { FieldSource } from './field.ts';
import { escapedLoosePattern, escapedPattern } from './filter-words.ts';
import { createLetterBits } from './letter-bits.ts';

/** The texts that many computers share. */
type SharedTexts = Pick<Reading, 'status' | 'version' | 'location' | 'stage' | 'error'>;

/** The search for a word without a field, in the two kinds of texts that `createWordIndex` keeps apart. */
export type WordSearch = {
	isInShared: (texts: SharedTexts, phase: Phase) => boolean;
	/** The word in lower case, for the texts that are a computer's own. */
	word: string;
};

/** Returns the search for a word. A frame looks for the same word in the rows and in their cells, so the last search is kept. */
export const wordSearchFor = memoize((typed: string): WordSearch => {
	const has = createSharedTextTest(new RegExp(escapedPattern(typed), 'i'));
	const hasStage = createSharedTextTest(new RegExp(escapedLoosePattern(typed), 'i'));
	return {
		isInShared: ({ status, version, location, stage, error }, phase) =>
			has(status) ||
			(phase !== 'unknown' && has(phase)) ||
			has(version) ||
			has(location) ||
			hasStage(stage) ||
			has(error),
		word: typed.toLowerCase(),
	};
});

const maxKeptResults = 1000;

/** Returns the test for a pattern in texts that many computers share. Each different text is searched once. */
function createSharedTextTest(pattern: RegExp): (text: string | null | undefined) => boolean {
	const results = new Map<string, boolean>();
	return text => {
		if (!text) return false;
		let result = results.get(text);
		if (result === undefined) {
			result = pattern.test(text);
			if (results.size < maxKeptResults) results.set(text, result);
		}
		return result;
	};
}

/** Returns whether a computer has a word in any of its texts. */
export const hasWord = ({ reading, phase }: FieldSource, { isInShared, word }: WordSearch) =>
	isInShared(reading, phase) ||
	(reading.name ?? reading.id).toLowerCase().includes(word) ||
	reading.id.toLowerCase().includes(word) ||
	(reading.address ?? '').toLowerCase().includes(word);

/** The texts of a computer that are its own. They contain no line break, so no word is found across two of them. */
const ownTextOf = ({ name, id, address }: Reading) =>
	`${name ?? ''}\n${id}\n${address ?? ''}`.toLowerCase();

/**
 * Creates an index in which a word is found in many computers without looking at the computers themselves: they lie
 * scattered in memory, so reading each of them takes longer than the search. The index divides the computers into
 * groups that share their status, version and so on, and keeps the other texts of each computer as one text.
 */
export function createWordIndex<T>(sourceOf: (item: T) => FieldSource) {
	let items: readonly T[] = [];
	let groups = new Uint32Array(0);
	let ownTexts: string[] = [];
	const letterBits = createLetterBits();
	const groupByKey = new Map<string, number>();
	/** A computer of each group. */
	const examples: FieldSource[] = [];

	function groupOf(source: FieldSource): number {
		const { reading, phase } = source;
		const { status, version, location, stage, error } = reading;
		const key = `${status ?? ''}\n${phase}\n${version ?? ''}\n${location ?? ''}\n${stage ?? ''}\n${error ?? ''}`;
		const known = groupByKey.get(key);
		if (known !== undefined) return known;
		groupByKey.set(key, examples.length);
		return examples.push(source) - 1;
	}

	return {
		/** Reads the items that are new in their places. */
		update(next: readonly T[]) {
			if (next === items) return;
			if (next.length !== groups.length) {
				const before = groups;
				groups = new Uint32Array(next.length);
				groups.set(before.subarray(0, next.length));
				ownTexts = ownTexts.slice(0, next.length);
				letterBits.resize(next.length);
			}
			for (let at = 0; at < next.length; at++) {
				const item = next[at] as T;
				if (at < items.length && item === items[at]) continue;
				const source = sourceOf(item);
				groups[at] = groupOf(source);
				const text = ownTextOf(source.reading);
				if (text === ownTexts[at]) continue;
				ownTexts[at] = text;
				letterBits.set(at, text);
			}
			items = next;
		},
		/**
		 * Looks for a word in the items whose place has this depth, and adds one to the depth of each that has the word. The
		 * loop reads no item.
		 */
		raiseDepths(depths: Uint16Array, depth: number, { isInShared, word }: WordSearch) {
			const isFound = Uint8Array.from(examples, each =>
				isInShared(each.reading, each.phase) ? 1 : 0,
			);
			const mayHave = letterBits.testOf(word);
			for (let at = 0; at < groups.length; at++) {
				if (depths[at] !== depth) continue;
				const isInGroup = isFound[groups[at] as number] === 1;
				if (isInGroup || (mayHave(at) && ownTexts[at]?.includes(word))) depths[at] = depth + 1;
			}
		},
	};
}
