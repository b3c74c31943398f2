//  typed       finds                            because
//  sto         Stop computers …                 the text begins with the typed words
//  computer    Create a computer                each typed word is a word of the text
//  port pub    Publish a port                   each typed word begins a word of the text
//  ltair       altair-2                         each typed word is part of a word of the text
//  rstrt cmp   Restart computers …              the letters are in the text, in this order

/** How well a text matches, and the places of the matched letters in it. A higher score is a better match. */
export type TextMatch = { score: number; places: readonly number[] };

/** The words that were typed, and what finds them in a text, from the best kind of match to the worst. */
export type TypedText = {
	words: readonly string[];
	kinds: readonly { score: number; patterns: readonly RegExp[] }[];
};

/** A match with a lower score has the typed letters, but not the typed words. */
export const guessScore = 2;

const inWord = '[\\p{L}\\p{N}]';
const between = '[^\\p{L}\\p{N}]';
const beginning = `(?<!${inWord})`;
const end = `(?!${inWord})`;

export function typedTextFrom(text: string): TypedText {
	const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	const patternFrom = (source: string) => new RegExp(source, 'diu');
	const forEachWord = (sourceFor: (word: string) => string) =>
		words.map(word => patternFrom(sourceFor(word)));
	const inOrder = words.map(word => `(${word})`).join(`${between}+`);
	return {
		words,
		kinds: [
			{ score: 6, patterns: [patternFrom(`^${between}*${inOrder}`)] },
			{ score: 5, patterns: forEachWord(word => `${beginning}(${word})${end}`) },
			{ score: 4, patterns: forEachWord(word => `${beginning}(${word})`) },
			{ score: 3, patterns: forEachWord(word => `(${word})`) },
			{ score: 1, patterns: forEachWord(scattered) },
		],
	};
}

/**
 * Each letter begins a word or is in the word of the letter before it, because scattered letters are in many texts. Most
 * texts do not have all letters in this order, which is found out first.
 */
function scattered(word: string): string {
	const letters = Array.from(word);
	const hasAll = letters.map(letter => `[^${letter}]*${letter}`).join('');
	const places = letters.map((letter, at) =>
		at === 0 ? `(${letter})` : `(?:(?:(?!${letter})${inWord})*|.*?${beginning})(${letter})`,
	);
	return `${beginning}(?=${hasAll})${places.join('')}`;
}

/**
 * Compares a text with what was typed; undefined if it does not match. `nameLength` is the length of the part that names
 * the item, if an explanation follows it.
 */
export function matchText(
	text: string,
	{ words, kinds }: TypedText,
	nameLength = text.length,
): TextMatch | undefined {
	if (words.length === 0) return undefined;
	for (const { score, patterns } of kinds) {
		const found = patterns.map(pattern => pattern.exec(text)?.indices?.slice(1));
		if (!found.every(each => each !== undefined)) continue;
		const places = found
			.flat()
			.flatMap(([from, to] = [0, 0]) => Array.from({ length: to - from }, (_, at) => from + at));
		// Of two matches of the same kind, the one that begins earlier is better, and then the one with the shorter name.
		const wordsBefore = text.slice(0, places[0]).match(/[\p{L}\p{N}]+/gu) ?? [];
		const earliness = 1 / (1 + wordsBefore.length);
		const share = Math.min(1, words.join('').length / Math.max(1, nameLength));
		return { places, score: score + (earliness + share) / 2.1 };
	}
	return undefined;
}
