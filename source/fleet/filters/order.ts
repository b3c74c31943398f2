export type FieldKind = 'text' | 'number' | 'version' | 'duration';

export type FieldValue = string | number;

type OrderValue = FieldValue | undefined;

export function inOrder<T>(
	items: readonly T[],
	isReversed: boolean,
	orderValueOf: (item: T) => OrderValue,
	tieOf: (item: T) => string,
): readonly T[] {
	const direction = isReversed ? -1 : 1;
	const keyed = items.map(item => ({ item, value: orderValueOf(item), tie: tieOf(item) }));
	keyed.sort((a, b) => {
		if (a.value === b.value) return a.tie === b.tie ? 0 : a.tie < b.tie ? -1 : 1;
		if (a.value === undefined || b.value === undefined) return a.value === undefined ? 1 : -1;
		return a.value < b.value ? -direction : direction;
	});
	return keyed.map(({ item }) => item);
}

export function orderKeysOf(
	kind: FieldKind,
	values: readonly OrderValue[],
): (value: OrderValue) => OrderValue {
	if (kind === 'text')
		return value => (value === undefined ? undefined : naturalKey(String(value)));
	if (kind !== 'version') return value => value;
	const versions = [...new Set(values)].filter(value => value !== undefined).map(String);
	const ranks = new Map<string, number>();
	let [rank, earlier] = [0, ''];
	for (const version of versions.sort(compareVersions)) {
		if (compareVersions(earlier, version) !== 0) rank += 1;
		ranks.set(version, rank);
		earlier = version;
	}
	return value => (value === undefined ? undefined : ranks.get(String(value)));
}

/** web-9 goes before web-10. */
export function naturalKey(text: string): string {
	return text.toLowerCase().replace(/\d+/g, number => {
		const digits = number.replace(/^0+(?=.)/, '');
		// The length is put before the digits, because a longer number is larger.
		return String.fromCharCode(0x2f + digits.length) + digits;
	});
}

/** 1.4 is older than 1.4.1, and a pre-release is older than its release (1.4.0-rc < 1.4.0). */
export function compareVersions(a: string, b: string): number {
	const [left, right] = [parseVersion(a), parseVersion(b)];
	return (
		compareSegments(left.numbers, right.numbers) ||
		Number(left.early.length === 0) - Number(right.early.length === 0) ||
		compareSegments(left.early, right.early)
	);
}

/** An unknown version is never behind. */
export function isBehind(version: string | null | undefined, latest: string | undefined): boolean {
	if (!version || !latest || version === latest) return false;
	return compareVersions(version, latest) < 0;
}

function parseVersion(version: string) {
	const [, numbers = '', early] = /^(?:v(?=\d))?([^-+]*)(?:-([^+]*))?/i.exec(version.trim()) ?? [];
	return { numbers: numbers.split('.'), early: early ? early.split('.') : [] };
}

function compareSegments(left: readonly string[], right: readonly string[]): number {
	const length = Math.max(left.length, right.length);
	for (let index = 0; index < length; index += 1) {
		const order = compareSegment(left[index], right[index]);
		if (order !== 0) return order;
	}
	return 0;
}

function compareSegment(a: string | undefined, b: string | undefined): number {
	if (a === b) return 0;
	if (a === undefined) return -1;
	if (b === undefined) return 1;
	const [left, right] = [Number.parseInt(a, 10), Number.parseInt(b, 10)];
	if (left !== right && !Number.isNaN(left) && !Number.isNaN(right)) return left - right;
	return a < b ? -1 : 1;
}
