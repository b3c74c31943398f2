import {
	fitToWidth,
	paintSpans,
	partsWithEllipsis,
	type Span,
	widthOf,
} from '../../drawing/span.ts';
import { type OrderField, orderFields, orderRows } from '../../fleet/computers/order-fields.ts';
import type { Binding } from '../../keys/binding.ts';
import { orderActionOf } from '../../keys/order-bindings.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import type { Theme } from '../../lines/theme.ts';

//  Order by  t trouble  n name  s status  v version  u uptime  c CPU  m memory  …                            Esc closes
//  t trouble n name s status v ver u uptime c CPU m mem d disk a age p port l loc g stage i id r addr               Esc

type OrderMenuOptions = {
	/** The field that orders the table now. */
	current: OrderField;
	bindings: readonly Binding[];
	/** With one account, no order by account is offered. */
	hasSeveralAccounts?: boolean;
	width: number;
	theme: Theme;
};

/**
 * Draws the menu of orders in the line of the key hints: each letter with the field by which it orders the table. Where
 * there is no room for all, the words are shorter, and then the last ones leave; their letters still work.
 */
export function orderMenuLine(options: OrderMenuOptions): string {
	const { bindings, width, theme } = options;
	const key = shownKeyOf(bindings, 'back') ?? '';
	const forms = [
		{ begin: ' Order by', isShort: false, gap: '  ', end: `  ${key} closes` },
		{ begin: '', isShort: true, gap: ' ', end: ` ${key}` },
	].map(({ begin, isShort, gap, end }) => {
		const parts: readonly (readonly Span[])[] = [
			[[begin, 'strong']],
			...menuChoices(options, isShort),
		];
		const room = width - end.length;
		const isWhole = widthOf(parts.flat(), theme) + gap.length * (parts.length - 1) <= room;
		const choices = fitToWidth(partsWithEllipsis(parts, gap, room, theme), room, theme);
		return { isWhole, text: paintSpans([...choices, [end, 'faint']], theme) };
	});
	return (forms.find(({ isWhole }) => isWhole) ?? forms.at(-1))?.text ?? '';
}

const menuChoices = (
	{ current, bindings, hasSeveralAccounts = true }: OrderMenuOptions,
	isShort: boolean,
) =>
	orderFields.flatMap((field): readonly (readonly Span[])[] => {
		const key = shownKeyOf(bindings, orderActionOf(field));
		if (key === undefined || (field === 'account' && !hasSeveralAccounts)) return [];
		const { label, short = label } = orderRows[field];
		return [
			[
				[key, 'accent'],
				[` ${isShort ? short : label}`, field === current ? 'strong' : 'faint'],
			],
		];
	});

/** Names the orders and their letters, for the ear. */
export function orderMenuWords(bindings: readonly Binding[]): string {
	const choices = orderFields.flatMap(field => {
		const key = shownKeyOf(bindings, orderActionOf(field));
		return key === undefined ? [] : `${key} ${orderRows[field].label}`;
	});
	return `Order by: ${choices.join(', ')}.`;
}
