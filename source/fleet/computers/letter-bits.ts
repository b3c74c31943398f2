//  text         letters          pairs
//  nova-7       n o v a - 7      no ov va
//  at           a t              at          cannot be in nova-7, because nova-7 has no t

/** The bits of a text: 32 for its letters, and twice 32 for its pairs of neighbouring letters. */
const unitsPerText = 3;

/**
 * Creates an index that rules out most of the texts without a word, and does not read them. Different letters or pairs
 * may share a bit, so a text that is not ruled out has to be searched. All texts and words are in lower case.
 */
export function createLetterBits() {
	let bits = new Uint32Array(0);

	return {
		/** Changes the number of texts. The bits of the texts that remain are kept. */
		resize(count: number) {
			const before = bits;
			bits = new Uint32Array(count * unitsPerText);
			bits.set(before.subarray(0, bits.length));
		},
		set(place: number, text: string) {
			const start = place * unitsPerText;
			bits.fill(0, start, start + unitsPerText);
			addBits(text, bits, start);
		},
		/** Returns a function that says whether the text in a place may have a word. */
		testOf(word: string): (place: number) => boolean {
			const wanted = new Uint32Array(unitsPerText);
			addBits(word, wanted, 0);
			const [letters = 0, pairs = 0, morePairs = 0] = wanted;
			return place => {
				const start = place * unitsPerText;
				const missing =
					(letters & ~(bits[start] as number)) |
					(pairs & ~(bits[start + 1] as number)) |
					(morePairs & ~(bits[start + 2] as number));
				return missing === 0;
			};
		},
	};
}

// The loop allocates nothing, because it reads the texts of ten thousand computers.
function addBits(text: string, bits: Uint32Array, start: number) {
	let before = 0;
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		const letter = unit >= firstLetter && unit <= lastLetter ? unit - firstLetter : 26 + (unit % 6);
		bits[start] = (bits[start] as number) | (1 << letter);
		// Pairs of hexadecimal digits are left out. Most ids consist of them, so they would rule out nothing.
		if (at > 0 && (before > lastHexDigit || unit > lastHexDigit)) {
			const pair = (before * 29 + unit) & 63;
			const place = start + 1 + (pair >> 5);
			bits[place] = (bits[place] as number) | (1 << (pair & 31));
		}
		before = unit;
	}
}

const [firstLetter, lastLetter, lastHexDigit] = [0x61, 0x7a, 0x66];
