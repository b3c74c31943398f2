import { type OrderField, orderFields, orderRows } from '../fleet/computers/order-fields.ts';
import { orderableViews } from '../screen/view-table.ts';
import { type Binding, bindingsIn, moveIntent } from './binding.ts';

/** The keys that order the views, choose an order in its menu, and go to the computers in trouble. */
export const orderBindings: readonly Binding[] = [
	...bindingsIn(orderableViews, [
		[
			'columnLeft',
			['<'],
			moveIntent({ type: 'orderBy', direction: -1 }),
			'order by the column to the left',
		],
		[
			'columnRight',
			['>'],
			moveIntent({ type: 'orderBy', direction: 1 }),
			'order by the column to the right',
		],
		['reverse', ['='], moveIntent({ type: 'reverse' }), 'reverse the order'],
	]),
	...bindingsIn(
		['fleet'],
		[
			[
				'order',
				['o'],
				moveIntent({ type: 'openOrderMenu' }),
				'choose the order: o c orders by CPU, o t by trouble',
				'order',
				orderFields.map(field => orderRows[field].label).join(' '),
			],
			[
				'nextTrouble',
				['e'],
				moveIntent({ type: 'trouble', direction: 1 }),
				'next computer in trouble',
				'next error',
			],
			[
				'previousTrouble',
				['E'],
				moveIntent({ type: 'trouble', direction: -1 }),
				'previous computer in trouble',
			],
		],
	),
	...bindingsIn(
		['order'],
		orderFields.map(field => [
			orderActionOf(field),
			[orderRows[field].key],
			moveIntent({ type: 'orderByField', field }),
			`order by ${orderRows[field].label}; again reverses`,
		]),
	),
];

/** Returns the name of the binding that orders the table by this field. */
export function orderActionOf(field: OrderField): string {
	return `order${field.slice(0, 1).toUpperCase()}${field.slice(1)}`;
}
