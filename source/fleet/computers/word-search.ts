import { memoize } from '../../foundation/memoize.ts';
import type { Phase, Reading } from './computer.ts';
import type { FieldSource } from './field.ts';
import { escapedLoosePattern, escapedPattern } from './filter-words.ts';

/** The texts that many computers share. */
type SharedTexts = Pick<Reading, 'status' | 'version' | 'location' | 'stage' | 'error'>;

/** The search for a word without a field. */
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
