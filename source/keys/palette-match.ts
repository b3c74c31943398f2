//  typed       finds
//  sto         Stop: stop it …                  it begins so
//  port pub    Publish: publish a port of it    words begin so
//  shbil       Show: billing                    beginnings of words, one after the other
//  rstrt       Restart: restart it …            letters of one word, in their order

const kinds = 4;

export function wordsOf(text: string): readonly string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** How well a label matches: 0 for not at all, and more the better. Letters scattered over it are no match. */
export function matchOf(label: readonly string[], wanted: readonly string[]): number {
	if (wanted.length === 0) return 1;
	const letters = wanted.join('');
	const places = [
		label.join(' ').startsWith(wanted.join(' ')) ? 0 : -1,
		placeOfBeginnings(label, wanted),
		label.findIndex((_, at) => isOfHeads(label.slice(at), letters)),
		label.findIndex(word => isScattered(word, letters)),
	];
	const kind = places.findIndex(place => place >= 0);
	if (kind < 0) return 0;
	// Of the same kind, the earlier in the label the better.
	return kinds - kind + 1 / (1 + (places[kind] ?? 0));
}

/** Each of these begins a word of the label, in whatever order: where the first such word is. */
function placeOfBeginnings(label: readonly string[], wanted: readonly string[]): number {
	const places = wanted.map(each => label.findIndex(word => word.startsWith(each)));
	return places.includes(-1) ? -1 : Math.min(...places);
}

/** Beginnings of words make the letters: of the first word, and then of words after it. */
function isOfHeads([first = '', ...others]: readonly string[], letters: string): boolean {
	let common = 0;
	while (common < letters.length && first[common] === letters[common]) common += 1;
	if (common === letters.length) return true;
	for (; common > 0; common -= 1) {
		const rest = letters.slice(common);
		if (others.some((_, at) => isOfHeads(others.slice(at), rest))) return true;
	}
	return false;
}

function isScattered(word: string, letters: string): boolean {
	if (word[0] !== letters[0]) return false;
	let from = 0;
	for (const letter of letters) {
		from = word.indexOf(letter, from) + 1;
		if (from === 0) return false;
	}
	return true;
}
