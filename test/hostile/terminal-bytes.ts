import fc from 'fast-check';
import { anyGrapheme } from '../arbitraries/characters.ts';

/** Letters that would open a question, confirm, mark or quit if the program took them for keys. */
const harmfulLetters = 'xyYnNaqDSsruF\r \t1234:/?cdL'.split('');

const letter = fc.constantFrom(...harmfulLetters, 'é', '🙂', '\uFFFD', '~', '<', ';');
const letters = (minLength: number, maxLength: number) =>
	fc.array(letter, { minLength, maxLength }).map(all => all.join(''));

const joined = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map(all => all.join(''));

/** The introducers of escape sequences, each in its 7-bit and its 8-bit form. */
const introducers = {
	control: fc.constantFrom('\x1b[', '\x9b'),
	command: fc.constantFrom('\x1b]', '\x9d'),
	string: fc.constantFrom('\x1bP', '\x1bX', '\x1b^', '\x1b_', '\x90', '\x98', '\x9e', '\x9f'),
};
const stringEnd = fc.constantFrom('\x1b\\', '\x9c');

const printableLetters = harmfulLetters.filter(letter => letter >= ' ');
const printable = fc.constantFrom(...printableLetters, '`', 'ÿ', '\uFFFD');
const payload = (length: number) =>
	fc.array(printable, { minLength: length, maxLength: length }).map(all => all.join(''));

/** Generates escape sequences that the program does not know, whose bytes would be harmful as keys. */
export const unknownSequence: fc.Arbitrary<string> = fc.oneof(
	joined(introducers.control, fc.constant('M'), payload(3)),
	joined(introducers.control, fc.constant('t'), payload(2)),
	joined(introducers.control, fc.constant('T'), payload(6)),
	joined(introducers.string, letters(1, 12), stringEnd),
	joined(introducers.command, letters(1, 12), fc.oneof(stringEnd, fc.constant('\x07'))),
	// These contain complete and unfinished sequences inside a string.
	joined(introducers.string, letters(1, 4), fc.constant('\x1b[31m'), letters(1, 6), stringEnd),
	joined(introducers.string, letters(1, 4), fc.constant('\x1b\x1b]52;'), letters(1, 6), stringEnd),
	// A sequence with a private marker or an intermediate character is never a key.
	joined(
		introducers.control,
		fc.constantFrom('?', '>', '=', '<'),
		fc.constantFrom('', '0', '1;2', '997;1', '64;1;2;22', ';;;'),
		fc.constantFrom('', '$', ' ', '"', "'"),
		fc.constantFrom('c', 'u', 'y', 'n', 'm', 'M', 'R', 'S', 'q', 'x', 'r', 'D', '~'),
	),
	joined(fc.constant('\x1b[0;12;33'), fc.constantFrom('M', 'R', 't', 'x', 'y', 'q', 'D', '~', 'u')),
	joined(fc.constant('\x1b[2$'), fc.constantFrom('x', 'y', 'q', 'D', '~')),
	joined(fc.constant('\x1b[12\r3;'), fc.constantFrom('A', 'x', 'q')),
	joined(fc.constant('\x1bO'), fc.constantFrom('j', 'y', 'q', 'x', ' ', '*', '\r')),
	joined(fc.constant('\x9b'), fc.constantFrom('A', '5~', '1;2P', '121u')),
	joined(fc.constant('\x8f'), fc.constantFrom('P', 'q', 'x')),
	joined(fc.constant('\x8e'), fc.constantFrom('x', 'y', 'q')),
	joined(fc.constant('\x1b[27;5;'), fc.constantFrom('106~', '121~')),
	fc.constant(`\x1b[${'1;'.repeat(70)}A`),
);

/** Generates a sequence without an end. Such a sequence can only come last. */
export const unfinishedSequence: fc.Arbitrary<string> = fc.oneof(
	joined(introducers.string, letters(1, 20)),
	joined(introducers.command, letters(1, 20)),
	joined(introducers.control, fc.constantFrom('1', '?1;2', '<0;8;')),
	joined(introducers.control, fc.constant('M'), payload(2)),
);

/** Generates a paste: `bytes` includes the start and end markers, `content` does not. */
export const paste = fc
	.record({
		start: fc.constantFrom('\x1b[200~', '\x9b200~'),
		content: fc.oneof(
			letters(0, 40),
			fc.constant('D\ratlas\r'),
			fc.constant('\x1b[A\x1b[200~y\x1b[20\x1b[201'),
			fc.string({ unit: anyGrapheme }),
		),
		end: fc.constantFrom('\x1b[201~', '\x9b201~'),
	})
	.filter(({ content }) => !/[\x1b\x9b]\[?201~/.test(content))
	.map(({ start, content, end }) => ({ bytes: `${start}${content}${end}`, content }));

/** Generates positions at which bytes are split, and the pause in milliseconds after each piece. */
export const byteCuts = fc.array(fc.record({ at: fc.nat(80), pause: fc.nat(1999) }), {
	maxLength: 10,
});

export type Cuts = readonly { at: number; pause: number }[];

/**
 * Feeds the bytes in pieces. A pause inside an escape sequence is shortened, because after a longer one the
 * program takes the escape for the Esc key.
 */
export async function feedPieces(
	bytes: string,
	cuts: Cuts,
	receive: { (text: string): void; isEscapePending(): boolean },
	wait: (milliseconds: number) => void | Promise<void>,
) {
	let start = 0;
	for (const { at, pause } of cuts.toSorted((a, b) => a.at - b.at)) {
		if (at <= start || at >= bytes.length) continue;
		receive(bytes.slice(start, at));
		start = at;
		await wait(receive.isEscapePending() ? pause % 30 : pause);
	}
	receive(bytes.slice(start));
}
