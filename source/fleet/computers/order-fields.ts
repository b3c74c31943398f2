import type { FieldValue } from '../filters/field.ts';
import { inOrder, naturalKey, orderKeysOf } from '../filters/order.ts';
import type { FilterRow } from './computer.ts';
import { type FieldName, type FieldSource, fields } from './field.ts';

export type OrderField = 'trouble' | FieldName;

export type Ordering = { by: OrderField; isReversed: boolean };

export const troubleFirst: Ordering = { by: 'trouble', isReversed: false };

export const orderRows = {
	trouble: { key: 't', label: 'trouble' },
	...Object.fromEntries(Object.entries(fields).map(([name, { order }]) => [name, order])),
} as Readonly<Record<OrderField, FilterRow['order']>>;

export const orderFields = Object.keys(orderRows) as readonly OrderField[];

export function orderFieldFrom(word: string): OrderField | undefined {
	return orderFields.find(field => field === word);
}

export function isSameOrdering(a: Ordering | undefined, b: Ordering | undefined): boolean {
	return a?.by === b?.by && a?.isReversed === b?.isReversed;
}

/** Trouble is not reversed: nobody looks first for the computers that need nothing. */
export const isReversible = (by: string) => by !== troubleFirst.by;

/** A busy computer matters more than an idle one. */
export function showsLargestFirst(field: OrderField): boolean {
	return field !== 'trouble' && ['number', 'duration'].includes(fields[field].kind);
}

const phasesByUrgency: readonly string[] = [
	...['error', 'unknown', 'creating', 'updating', 'restarting', 'starting', 'stopping'],
	...['active', 'stopped', 'pooled', 'archived'],
];

type OrderedBy<T> = {
	computerOf: (item: T) => FieldSource;
	accountOf?: (item: T) => string | undefined;
	troubleOrderOf?: (item: T) => number;
};

export function sortComputers<T>(
	items: readonly T[],
	{ by, isReversed }: Ordering,
	now: number,
	{ computerOf, accountOf, troubleOrderOf }: OrderedBy<T>,
): readonly T[] {
	// The separator comes before every character of a name.
	const nameAndId = (item: T) => {
		const { id, name } = computerOf(item).reading;
		return `${naturalKey(name ?? id)}\0${id}`;
	};
	const sorted = (orderValueOf: (item: T) => FieldValue | undefined) =>
		inOrder(items, isReversed, orderValueOf, nameAndId);
	switch (by) {
		case 'trouble':
			return sorted(item => troubleOrderOf?.(item));
		case 'account':
			return sorted(item => accountOf?.(item));
		case 'status':
			return sorted(item => phasesByUrgency.indexOf(computerOf(item).phase));
		default: {
			const { kind, values } = fields[by];
			const orderValueOf = (item: T) => values(computerOf(item), now)[0];
			const keyOf = orderKeysOf(kind, items.map(orderValueOf));
			return sorted(item => keyOf(orderValueOf(item)));
		}
	}
}
