//  typed       finds                            because
//  sto         Stop computers …                 the text begins with the typed words
//  computer    Create a computer                each typed word is a word of the text
//  port pub    Publish a port                   each typed word begins a word of the text
//  ltair       altair-2                         each typed word is part of the text
//  shbil       Show billing                     the beginnings of successive words spell the typed letters
//  rstrt cmp   Restart computers …              each typed word has its letters, in this order, in one word

/** A typed text, split into words and letters once, before it is compared with many texts. */
export type TypedText = { words: readonly string[]; letters: string };

/** How well a text matches, and the indexes of the matched letters. A higher score is a better match. */
export type TextMatch = {
	score: number;
	places: readonly number[];
	/** Whether the text has the typed letters, but not the typed words. */
	isGuess: boolean;
};

type Word = { text: string; from: number };

// V8 makes the pattern when it is first needed, and not during the start.
const wordsOf = (text: string): readonly Word[] =>
	Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu), ({ 0: word, index }) => ({
		text: word,
		from: index,
	}));

export function splitTypedText(text: string): TypedText {
	const words = wordsOf(text).map(({ text }) => text);
	return { words, letters: words.join('') };
}

/**
 * Whether the text has the letters of each typed word in order. This check costs little, and rules out most of ten
 * thousand names.
 */
export const mayMatch = (lowerCaseText: string, { words }: TypedText) =>
	words.every(word => hasLetters(lowerCaseText, word));

function hasLetters(lowerCaseText: string, letters: string): boolean {
	let from = 0;
	for (const letter of letters) {
		from = lowerCaseText.indexOf(letter, from) + 1;
		if (from === 0) return false;
	}
	return true;
}

/**
 * Compares a text with what was typed. Returns undefined if the text does not match. `nameLength` is the length of the
 * part that names the item, if an explanation follows it.
 */
export function fuzzyMatch(
	text: string,
	typed: TypedText,
	nameLength = text.length,
): TextMatch | undefined {
	if (typed.words.length === 0 || !mayMatch(text.toLowerCase(), typed)) return undefined;
	const words = wordsOf(text);
	const found = matchers.map(match => match(words, typed));
	const kind = found.findIndex(places => places !== undefined);
	const places = found[kind];
	if (!places) return undefined;
	const wordAt = words.findIndex(({ from, text: word }) => (places[0] ?? 0) < from + word.length);
	// Of two matches of the same kind, the one that begins earlier in its text is better, and then the one with the
	// shorter name.
	const earliness = 1 / (1 + Math.max(0, wordAt));
	const share = typed.letters.length / Math.max(1, nameLength);
	const score = matchers.length - kind + (earliness + Math.min(1, share)) / 2.1;
	return { score, places, isGuess: kind >= firstGuess };
}

type Matcher = (words: readonly Word[], typed: TypedText) => readonly number[] | undefined;

const matchers: readonly Matcher[] = [
	(words, { words: typed }) =>
		typed.every((each, at) =>
			at === typed.length - 1 ? words[at]?.text.startsWith(each) : words[at]?.text === each,
		)
			? typed.flatMap((each, at) => placesFrom(words[at]?.from ?? 0, each.length))
			: undefined,
	(words, { words: typed }) =>
		placesOfAll(words, typed, (word, each) =>
			word === each ? placesFrom(0, each.length) : undefined,
		),
	(words, { words: typed }) =>
		placesOfAll(words, typed, (word, each) =>
			word.startsWith(each) ? placesFrom(0, each.length) : undefined,
		),
	(words, { words: typed }) =>
		placesOfAll(words, typed, (word, each) => {
			const at = word.indexOf(each);
			return at < 0 ? undefined : placesFrom(at, each.length);
		}),
	(words, { letters }) => {
		for (let at = 0; at < words.length; at += 1) {
			const places = placesOfBeginnings(words.slice(at), letters);
			if (places) return places;
		}
		return undefined;
	},
	(words, { words: typed }) => placesOfAll(words, typed, placesInOrder),
];

/** From this one on, the matchers find letters that need not stand together. */
const firstGuess = 4;

const placesFrom = (from: number, count: number) =>
	Array.from({ length: count }, (_, at) => from + at);

/** Finds each typed word in a word of the text. `placesIn` returns the indexes of its letters within that word. */
function placesOfAll(
	words: readonly Word[],
	typed: readonly string[],
	placesIn: (word: string, typed: string) => readonly number[] | undefined,
): readonly number[] | undefined {
	const places: number[] = [];
	for (const each of typed) {
		const found = placesInOne(words, word => placesIn(word, each));
		if (!found) return undefined;
		places.push(...found);
	}
	return places;
}

function placesInOne(
	words: readonly Word[],
	placesIn: (word: string) => readonly number[] | undefined,
): readonly number[] | undefined {
	for (const { text, from } of words) {
		const places = placesIn(text);
		if (places) return places.map(at => from + at);
	}
	return undefined;
}

/** Finds beginnings of the words, in order and starting with the first word, that spell the letters. */
function placesOfBeginnings(
	[first, ...others]: readonly Word[],
	letters: string,
): readonly number[] | undefined {
	if (!first) return undefined;
	let common = 0;
	while (common < letters.length && first.text[common] === letters[common]) common += 1;
	if (common === letters.length) return placesFrom(first.from, common);
	for (; common > 0; common -= 1) {
		for (let at = 0; at < others.length; at += 1) {
			const rest = placesOfBeginnings(others.slice(at), letters.slice(common));
			if (rest) return [...placesFrom(first.from, common), ...rest];
		}
	}
	return undefined;
}

/** Finds the letters in their order. The first letter begins the word, because scattered letters are in many words. */
function placesInOrder(word: string, letters: string): readonly number[] | undefined {
	if (word[0] !== letters[0]) return undefined;
	const places: number[] = [];
	let from = 0;
	for (const letter of letters) {
		const at = word.indexOf(letter, from);
		if (at < 0) return undefined;
		places.push(at);
		from = at + 1;
	}
	return places;
}
