/** Depends only on the keys, so that requests about one computer never change another one. */
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

export function valueWithin([from, to]: readonly [number, number], fraction: number): number {
	return Math.round(from + fraction * (to - from));
}

export function pickItem<Items extends readonly [unknown, ...unknown[]]>(
	items: Items,
	fraction: number,
): Items[number] {
	return items[Math.floor(fraction * items.length)] ?? items[0];
}

const letters = '0123456789abcdefghijklmnopqrstuvwxyz';

export function randomCode(length: number, ...keys: readonly number[]): string {
	const letterAt = (_: unknown, index: number) =>
		letters[Math.floor(randomFraction(...keys, index) * letters.length)];
	return Array.from({ length }, letterAt).join('');
}

/** Negative, because the second key is a purpose or else the number of a computer. */
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
