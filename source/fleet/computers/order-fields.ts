import type { OrderRow } from './computer.ts';
import { type FieldName, fields } from './field.ts';

export type OrderField = 'trouble' | FieldName;

export type Ordering = { by: OrderField; isReversed: boolean };

export const troubleFirst: Ordering = { by: 'trouble', isReversed: false };

const rowsOf = (...names: readonly FieldName[]) =>
	Object.fromEntries(names.map(name => [name, fields[name].order]));

export const orderRows = {
	trouble: { key: 't', label: 'trouble' },
	...rowsOf('name', 'status', 'version', 'uptime', 'cpu', 'memory', 'storage', 'age', 'port'),
	...rowsOf('location', 'account', 'stage', 'id', 'address'),
	...rowsOf(...(Object.keys(fields) as FieldName[])),
} as Readonly<Record<OrderField, OrderRow>>;

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

/** A number such as the CPU changes with every read, so an earlier place would soon contradict it. */
export function keepsPlaceUnderCursor(field: OrderField): boolean {
	return field === 'trouble' || fields[field].kind !== 'number';
}
