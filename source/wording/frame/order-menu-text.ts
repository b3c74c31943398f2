import {
	fitToWidth,
	paintSpans,
	partsWithEllipsis,
	type Span,
	widthOf,
} from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { type OrderField, orderFields, orderRows } from '../../fleet/computers/order-fields.ts';
import type { Binding } from '../../keys/binding.ts';
import { orderActionOf } from '../../keys/order-bindings.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';

//  Order by  t trouble  n name  s status  v version  u uptime  c CPU  m memory  d disk  a age  p port  l location  w account
//  g stage  i id  r address                                                                                  Esc closes

type OrderMenuOptions = {
	/** The field that orders the table now. */
	current: OrderField;
	bindings: readonly Binding[];
	/** With one account, no order by account is offered. */
	hasSeveralAccounts?: boolean;
	/** Whether the menu may also use the line above the key hints. */
	hasLineAbove: boolean;
	width: number;
	theme: Theme;
};

const minWidthWithTitle = 45;

/** The forms of the menu. A form is used if the ones before it do not show every order. */
const forms: readonly MenuForm[] = [
	{ isShort: false, gap: '  ', title: ' Order by', ending: '  {key} closes' },
	{ isShort: true, gap: '  ', title: ' Order by', ending: '  {key} closes' },
	{ isShort: true, gap: ' ', title: '', ending: ' {key}' },
];

type MenuForm = { isShort: boolean; gap: string; title: string; ending: string };

/**
 * Draws the menu of orders in the line of the key hints, and in the line above if it is needed and free. The menu
 * shows each letter with the field by which it orders the table.
 */
export function orderMenuLines(options: OrderMenuOptions): { above?: string; keys: string } {
	const menus = forms.map(form => menuIn(form, options));
	const { above, keys = '' } = menus.find(({ isWhole }) => isWhole) ?? menus.at(-1) ?? {};
	return above === undefined ? { keys } : { above, keys };
}

type Menu = { above?: string; keys: string; isWhole: boolean };

function menuIn({ isShort, gap, title, ending }: MenuForm, options: OrderMenuOptions): Menu {
	const { bindings, hasLineAbove, width, theme } = options;
	const end: Span = [ending.replace('{key}', shownKeyOf(bindings, 'back') ?? ''), 'faint'];
	const room = width - widthOf([end], theme);
	const lineOf = (parts: readonly (readonly Span[])[], cells: number) =>
		fitToWidth(partsWithEllipsis(parts, gap, cells, theme), cells, theme);
	const widthIn = (parts: readonly (readonly Span[])[]) =>
		parts.reduce((sum, part) => sum + widthOf(part, theme) + gap.length, -gap.length);
	const keysOf = (parts: readonly (readonly Span[])[]) =>
		paintSpans([...lineOf(parts, room), end], theme);
	const whole: readonly (readonly Span[])[] = [
		[[width < minWidthWithTitle ? '' : title, 'strong']],
		...menuChoices(options, isShort),
	];
	if (!hasLineAbove || widthIn(whole) <= room)
		return { keys: keysOf(whole), isWhole: widthIn(whole) <= room };
	const count = whole.findLastIndex((_, at) => widthIn(whole.slice(0, at)) <= width);
	const [first = [], ...others] = whole.slice(count);
	const below = [[[' '] as const, ...first], ...others];
	return {
		above: paintSpans(lineOf(whole.slice(0, count), width), theme),
		keys: keysOf(below),
		isWhole: widthIn(below) <= room,
	};
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
