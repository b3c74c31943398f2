import type { FieldValue } from '../filters/field.ts';
import { inOrder, naturalKey, orderKeysOf } from '../filters/order.ts';
import { type FieldSource, fields } from './field.ts';
import type { Ordering } from './order-fields.ts';

export const phasesByUrgency: readonly string[] = [
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
