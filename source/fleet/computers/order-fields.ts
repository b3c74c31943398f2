import { type FieldName, fields } from './field.ts';

/** The values by which the table of computers can be ordered: trouble, or a field of a computer. */
export type OrderField = 'trouble' | FieldName;

/** An order of the table. Computers that are equal in it are ordered by name. Trouble is never reversed. */
export type Ordering = { by: OrderField; isReversed: boolean };

/** The default order: computers that need attention come first, and all others follow by name. */
export const troubleFirst: Ordering = { by: 'trouble', isReversed: false };

type OrderRow = {
	/** The letter that chooses the order in the order menu. */
	key: string;
	/** The name of the order in the menu and in the rule above the table. */
	label: string;
	/** The name in the menu on a narrow screen, if the usual name is long. */
	short?: string;
};

/** THE table of orders, in the order of the menu. */
const orderTable = {
	trouble: { key: 't', label: 'trouble' },
	name: { key: 'n', label: 'name' },
	status: { key: 's', label: 'status' },
	version: { key: 'v', label: 'version', short: 'ver' },
	uptime: { key: 'u', label: 'uptime' },
	cpu: { key: 'c', label: 'CPU' },
	memory: { key: 'm', label: 'memory', short: 'mem' },
	storage: { key: 'd', label: 'disk' },
	age: { key: 'a', label: 'age' },
	port: { key: 'p', label: 'port' },
	location: { key: 'l', label: 'location', short: 'loc' },
	account: { key: 'w', label: 'account', short: 'acct' },
	stage: { key: 'g', label: 'stage' },
	id: { key: 'i', label: 'id' },
	address: { key: 'r', label: 'address', short: 'addr' },
} as const satisfies Readonly<Record<OrderField, OrderRow>>;

export const orderRows: Readonly<Record<OrderField, OrderRow>> = orderTable;

export const orderFields = Object.keys(orderTable) as readonly OrderField[];

export function orderFieldFrom(word: string): OrderField | undefined {
	return orderFields.find(field => field === word);
}

export function isSameOrdering(a: Ordering | undefined, b: Ordering | undefined): boolean {
	return a?.by === b?.by && a?.isReversed === b?.isReversed;
}

/** Trouble is not reversed: nobody looks first for the computers that need nothing. */
export const isReversible = (by: string) => by !== troubleFirst.by;

/** Whether an order begins with the largest values, because a busy computer matters more than an idle one. */
export function showsLargestFirst(field: OrderField): boolean {
	return field !== 'trouble' && ['number', 'duration'].includes(fields[field].kind);
}

/**
 * Whether a computer keeps its place in an order while the cursor is on it. A number such as the CPU changes with every
 * read, so an earlier place would soon contradict the number in the row.
 */
export function keepsPlaceUnderCursor(field: OrderField): boolean {
	return field === 'trouble' || fields[field].kind !== 'number';
}
