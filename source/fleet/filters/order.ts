import { compareVersions } from '../computers/version.ts';
import type { FieldKind, FieldValue } from './filter.ts';

type OrderValue = FieldValue | undefined;

/** Unknown values come last in both directions. */
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
