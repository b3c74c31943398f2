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

//  Order by  t trouble  n name  s status  v version  u uptime  c CPU  m memory  d disk  a age  p port  l location  w account
//  g stage  i id  r address                                                                                  Esc closes

type OrderMenuOptions = {
	/** The field that orders the table now. */
	current: OrderField;
	bindings: readonly Binding[];
	/** Whether the menu may also use the line above the key hints. */
	hasLineAbove: boolean;
	width: number;
	theme: Theme;
};

const minWidthWithTitle = 45;

/**
 * Draws the menu of orders in the line of the key hints, and in the line above if it is needed and free. The menu
 * shows each letter with the field by which it orders the table.
 */
export function orderMenuLines(options: OrderMenuOptions): { above?: string; keys: string } {
	const { bindings, hasLineAbove, width, theme } = options;
	const choices = menuChoices(options);
	const closeKey = shownKeyOf(bindings, 'back') ?? '';
	const end: Span = [`  ${closeKey} closes`, 'faint'];
	const title: readonly Span[] = [[width < minWidthWithTitle ? '' : ' Order by', 'strong']];
	const room = width - widthOf([end], theme);
	const lineOf = (parts: readonly (readonly Span[])[], cells: number) =>
		fitToWidth(partsWithEllipsis(parts, gap, cells, theme), cells, theme);
	const keysOf = (parts: readonly (readonly Span[])[]) =>
		paintSpans([...lineOf(parts, room), end], theme);
	const whole = [title, ...choices];
	if (!hasLineAbove || partsWidth(whole, theme) <= room) return { keys: keysOf(whole) };
	const count = whole.findLastIndex((_, at) => partsWidth(whole.slice(0, at), theme) <= width);
	const [first = [], ...others] = whole.slice(count);
	return {
		above: paintSpans(lineOf(whole.slice(0, count), width), theme),
		keys: keysOf([[[' '], ...first], ...others]),
	};
}

const gap = '  ';

const partsWidth = (parts: readonly (readonly Span[])[], theme: Theme) =>
	parts.reduce((sum, part) => sum + widthOf(part, theme) + gap.length, -gap.length);

const menuChoices = ({ current, bindings }: OrderMenuOptions) =>
	orderFields.flatMap((field): readonly (readonly Span[])[] => {
		const key = shownKeyOf(bindings, orderActionOf(field));
		if (key === undefined) return [];
		const tone = field === current ? 'strong' : 'faint';
		return [
			[
				[key, 'accent'],
				[` ${orderRows[field].label}`, tone],
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
