import { type FieldName, fields } from './field.ts';

/** The values by which the table of computers can be ordered: trouble, or a field of a computer. */
export type OrderField = 'trouble' | FieldName;

export type Ordering = { by: OrderField; isReversed: boolean };

/** The default order: computers that need attention come first, and all others follow by name. */
export const troubleFirst: Ordering = { by: 'trouble', isReversed: false };

type OrderRow = {
	/** The letter that chooses the order in the order menu. */
	key: string;
	/** The name of the order in the menu and in the rule above the table. */
	label: string;
};

/** THE table of orders, in the order of the menu. */
const orderTable = {
	trouble: { key: 't', label: 'trouble' },
	name: { key: 'n', label: 'name' },
	status: { key: 's', label: 'status' },
	version: { key: 'v', label: 'version' },
	uptime: { key: 'u', label: 'uptime' },
	cpu: { key: 'c', label: 'CPU' },
	memory: { key: 'm', label: 'memory' },
	storage: { key: 'd', label: 'disk' },
	age: { key: 'a', label: 'age' },
	port: { key: 'p', label: 'port' },
	location: { key: 'l', label: 'location' },
	account: { key: 'w', label: 'account' },
	stage: { key: 'g', label: 'stage' },
	id: { key: 'i', label: 'id' },
	address: { key: 'r', label: 'address' },
} as const satisfies Readonly<Record<OrderField, OrderRow>>;

export const orderRows: Readonly<Record<OrderField, OrderRow>> = orderTable;

export const orderFields = Object.keys(orderTable) as readonly OrderField[];

export function orderFieldFrom(word: string): OrderField | undefined {
	return orderFields.find(field => field === word);
}

/** Whether an order begins with the largest values: the busiest computer matters more than the one that idles. */
export function beginsWithLargest(field: OrderField): boolean {
	return field !== 'trouble' && ['number', 'duration'].includes(fields[field].kind);
}
