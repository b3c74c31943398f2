//  typed       finds                            because
//  sto         Stop computers …                 the text begins with the typed words
//  computer    Create a computer                each typed word is a word of the text
//  port pub    Publish a port                   each typed word begins a word of the text
//  ltair       altair-2                         each typed word is part of a word of the text
//  rstrt cmp   Restart computers …              the letters are in the text, in this order

export type TypedText = { words: readonly string[]; letters: string };

/** How well a text matches, and the places of the matched letters in it. A higher score is a better match. */
export type TextMatch = {
	score: number;
	places: readonly number[];
	/** Whether the text has the typed letters, but not the typed words. */
	isGuess: boolean;
};

type Word = { text: string; from: number };

const wordsOf = (text: string): readonly Word[] =>
	Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu), ({ 0: word, index }) => ({
		text: word,
		from: index,
	}));

export function typedTextFrom(text: string): TypedText {
	const words = wordsOf(text).map(word => word.text);
	return { words, letters: words.join('') };
}

/**
 * Compares a text with what was typed; undefined if it does not match. `nameLength` is the length of the part that names
 * the item, if an explanation follows it.
 */
export function matchText(
	text: string,
	{ words: typed, letters }: TypedText,
	nameLength = text.length,
): TextMatch | undefined {
	const lowerCase = text.toLowerCase();
	// This cheap test rules out most of ten thousand names.
	if (letters === '' || !typed.every(each => hasLetters(lowerCase, each))) return undefined;
	const words = wordsOf(text);
	const found = wordPlaces(words, typed) ?? letterPlaces(words, typed);
	if (!found) return undefined;
	const wordAt = words.findIndex(word => (found.places[0] ?? 0) < word.from + word.text.length);
	// Of two matches of the same kind, the one that begins earlier is better, and then the one with the shorter name.
	const earliness = 1 / (1 + Math.max(0, wordAt));
	const share = Math.min(1, letters.length / Math.max(1, nameLength));
	return { ...found, score: found.score + (earliness + share) / 2.1 };
}

function hasLetters(text: string, letters: string): boolean {
	let from = 0;
	for (const letter of letters) {
		from = text.indexOf(letter, from) + 1;
		if (from === 0) return false;
	}
	return true;
}

/** From the worst to the best: the typed word is part of a word, begins it, or is the word. */
const relations: readonly ((word: string, typed: string) => boolean)[] = [
	(word, typed) => word.includes(typed),
	(word, typed) => word.startsWith(typed),
	(word, typed) => word === typed,
];

const partScore = 3;
const beginningScore = 6;

function wordPlaces(words: readonly Word[], typed: readonly string[]): TextMatch | undefined {
	const isBeginning = typed.every((each, at) =>
		at === typed.length - 1 ? words[at]?.text.startsWith(each) : words[at]?.text === each,
	);
	const places = (those: readonly (Word | undefined)[]) =>
		those.flatMap((word, at) => {
			const each = typed[at] ?? '';
			const from = (word?.from ?? 0) + Math.max(0, word?.text.indexOf(each) ?? 0);
			return Array.from(each, (_, letter) => from + letter);
		});
	if (isBeginning)
		return { score: beginningScore, places: places(words.slice(0, typed.length)), isGuess: false };
	for (const [rank, isRelated] of [...relations.entries()].reverse()) {
		const those = typed.map(each => words.find(({ text }) => isRelated(text, each)));
		if (those.every(word => word !== undefined))
			return { score: partScore + rank, places: places(those), isGuess: false };
	}
	return undefined;
}

/**
 * Finds the letters of each typed word in their order. The first one begins a word, and a letter that does not begin one is
 * in the same word as the letter before it, because scattered letters are in many texts.
 */
function letterPlaces(words: readonly Word[], typed: readonly string[]): TextMatch | undefined {
	const places = typed.map(each => {
		for (let at = 0; at < words.length; at += 1) {
			const found = lettersFrom(words.slice(at), each);
			if (found) return found;
		}
		return undefined;
	});
	if (!places.every(each => each !== undefined)) return undefined;
	return { score: 1, places: places.flat(), isGuess: true };
}

function lettersFrom(
	[word, ...others]: readonly Word[],
	letters: string,
): readonly number[] | undefined {
	if (!word || word.text[0] !== letters[0]) return undefined;
	const places: number[] = [];
	for (const letter of letters) {
		const at = word.text.indexOf(letter, (places.at(-1) ?? -1) + 1);
		if (at < 0) break;
		places.push(at);
	}
	// What the word does not have, a later word may begin with.
	for (let count = places.length; count > 0; count -= 1) {
		const here = places.slice(0, count).map(at => word.from + at);
		if (count === letters.length) return here;
		for (let at = 0; at < others.length; at += 1) {
			const rest = lettersFrom(others.slice(at), letters.slice(count));
			if (rest) return [...here, ...rest];
		}
	}
	return undefined;
}
