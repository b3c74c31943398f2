import {
	fitToWidth,
	paintSpans,
	partsWithEllipsis,
	type Span,
	widthOf,
} from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { type OrderField, orderFields, orderRows } from '../../fleet/computers/order-fields.ts';
import { type Binding, shownKeyOf } from '../../keys/binding.ts';
import { orderActionOf } from '../../keys/order-bindings.ts';

//  Order by  t trouble  n name  s status  v version  u uptime  c CPU  m memory  d disk  a age  …    Esc closes

type OrderMenuOptions = {
	/** The field that orders the table now. */
	current: OrderField;
	bindings: readonly Binding[];
	width: number;
	theme: Theme;
};

const minWidthWithTitle = 45;

/** Draws the menu of orders in the line of the key hints: each letter with the field by which it orders the table. */
export function orderMenuLine({ current, bindings, width, theme }: OrderMenuOptions): string {
	const choices = orderFields.flatMap((field): (readonly Span[])[] => {
		const key = shownKeyOf(bindings, orderActionOf(field));
		if (key === undefined) return [];
		const { label } = orderRows[field];
		return [
			[
				[key, 'accent'],
				[` ${label}`, field === current ? 'strong' : 'faint'],
			],
		];
	});
	const closeKey = shownKeyOf(bindings, 'back') ?? '';
	const end: Span = [`  ${closeKey} closes`, 'faint'];
	const title: readonly Span[] = [[width < minWidthWithTitle ? '' : ' Order by', 'strong']];
	const room = width - widthOf([end], theme);
	const left = partsWithEllipsis([title, ...choices], '  ', room, theme);
	return paintSpans([...fitToWidth(left, room, theme), end], theme);
}

/** Names the orders and their letters, for the ear. */
export function orderMenuWords(bindings: readonly Binding[]): string {
	const choices = orderFields.flatMap(field => {
		const key = shownKeyOf(bindings, orderActionOf(field));
		return key === undefined ? [] : `${key} ${orderRows[field].label}`;
	});
	return `Order by: ${choices.join(', ')}.`;
}
