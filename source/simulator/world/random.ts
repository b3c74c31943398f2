/**
 * Returns a pseudo-random number from 0 to below 1 that depends only on the keys. There is no shared sequence of
 * numbers, so requests about one computer never change the events of another computer.
 */
export function randomFraction(...keys: readonly number[]): number {
	let mixed = 0x51ed270b;
	for (const key of keys) {
		mixed = Math.imul(mixed ^ key, 0x7feb352d);
		mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
		mixed ^= mixed >>> 16;
	}
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0x2c1b3c6d);
	return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

export type NumberRange = readonly [from: number, to: number];

export function valueWithin([from, to]: NumberRange, fraction: number): number {
	return Math.round(from + fraction * (to - from));
}

export function pickItem<Items extends readonly [unknown, ...unknown[]]>(
	items: Items,
	fraction: number,
): Items[number] {
	return items[Math.floor(fraction * items.length)] ?? items[0];
}

const letters = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Returns a text of random letters and digits, such as the end of an id. */
export function randomCode(length: number, ...keys: readonly number[]): string {
	const letterAt = (_: unknown, index: number) =>
		letters[Math.floor(randomFraction(...keys, index) * letters.length)];
	return Array.from({ length }, letterAt).join('');
}

/**
 * The purposes of random numbers. After the seed, the second key of a random number is its purpose or the number
 * of a computer. Purposes are negative, so that they never equal the number of a computer.
 */
export const randomPurposes = {
	id: -1,
	share: -2,
	place: -3,
	habit: -4,
	birth: -5,
	load: -6,
	release: -7,
	fault: -8,
	session: -9,
	secret: -10,
	refresh: -11,
} as const;
