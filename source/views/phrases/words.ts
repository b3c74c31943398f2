import { countText } from '../../foundation/number-text.ts';

const unitNames: Readonly<Record<string, string>> = {
	s: 'second',
	m: 'minute',
	min: 'minute',
	h: 'hour',
	d: 'day',
};

/** Spells out signs and short units, as in "3 minutes" for "3m". */
export function spellOut(text: string): string {
	return text
		.replaceAll('→', 'to')
		.replaceAll('≈', 'about')
		.replace(/~(?=\d)/g, 'about ')
		.replaceAll('← ', '')
		.replaceAll('…', '')
		.replace(/<1 ?m(in)?\b/g, 'under a minute')
		.replace(/(?<![\w./%-])(\d+) ?(min|[smhd])(?![\w/-])/g, (_, count: string, unit: string) =>
			pluralize(Number(count), unitNames[unit] ?? unit),
		)
		.replace(/(\d) ?%(?!\w)/g, '$1 percent')
		.replace(/\s+/g, ' ')
		.replace(/ ([,.])/g, '$1')
		.replace(/,$/, '')
		.trim();
}

export function pluralize(count: number, noun: string): string {
	return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Lists the first names, and the number of the others, as in "atlas, borealis, cygnus and 4 more". */
export function firstNamesAndCount(names: readonly string[], maxCount = 3): string {
	const otherCount = names.length - maxCount;
	return otherCount > 0
		? `${names.slice(0, maxCount).join(', ')} and ${countText(otherCount)} more`
		: names.join(', ');
}

export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
