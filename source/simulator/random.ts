/**
 * A pseudo-random number from 0 to below 1 that depends only on its keys. There is no common sequence, so
 * what happens to one computer never depends on requests about another one.
 */
export function fraction(...keys: readonly number[]): number {
	let mixed = 0x51ed270b;
	for (const key of keys) {
		mixed = Math.imul(mixed ^ key, 0x7feb352d);
		mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
		mixed ^= mixed >>> 16;
	}
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0x2c1b3c6d);
	return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

export type Range = readonly [from: number, to: number];

export function between([from, to]: Range, part: number): number {
	return Math.round(from + part * (to - from));
}

export function pick<Items extends readonly [unknown, ...unknown[]]>(
	items: Items,
	part: number,
): Items[number] {
	return items[Math.floor(part * items.length)] ?? items[0];
}

const letters = '0123456789abcdefghijklmnopqrstuvwxyz';

/** A code that looks like a random identifier. */
export function randomCode(length: number, ...keys: readonly number[]): string {
	const letterAt = (_: unknown, place: number) =>
		letters[Math.floor(fraction(...keys, place) * letters.length)];
	return Array.from({ length }, letterAt).join('');
}

/**
 * The second key of a fraction, after the seed: its purpose. The random numbers of a computer have the
 * computer's number there, which is never negative.
 */
export const salts = {
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
