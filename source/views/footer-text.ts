import type { Change } from '../fleet/change.ts';
import { filterFrom } from '../fleet/filter.ts';
import type { Binding } from '../keys/binding.ts';
import type { Screen } from '../store/screen.ts';
import { changeSpans } from './change-text.ts';
import { asManyAsFit, atEnds, fitted, painted, type Span } from './span.ts';
import type { Theme } from './theme.ts';

//  08:14 borealis: creating → active in 48s            08:12 you stopped eridanus
//  / filter  ? help  q quit

type Asked = { screen: Screen; width: number; theme: Theme };

/** What just happened, the newest first. */
export function newsLine({ width, theme }: Asked, changes: readonly Change[], now: number): string {
	const parts: (readonly Span[])[] = [];
	for (let at = changes.length - 1; at >= 0 && parts.length < 4; at -= 1) {
		const change = changes[at];
		if (change) parts.push(changeSpans(change, now));
	}
	const [first = [], ...others] = parts;
	const gap = '     ';
	const fit = asManyAsFit([first, ...others], gap, width - 2, theme);
	return painted(fitted([[' '], ...(fit.length > 0 ? fit : first)], width, theme), theme);
}

/** The line being typed, what the last key came to, or the keys that make sense now. */
export function keysLine(asked: Asked, shownCount: number, bindings: readonly Binding[]): string {
	const { screen, width, theme } = asked;
	if (screen.isFiltering) return filterLine(asked, shownCount);
	const hints = bindings
		.filter(({ places, hint }) => hint !== undefined && places.includes('fleet'))
		.map(({ keys, hint }): readonly Span[] => [
			[keys[0] ?? '', 'accent'],
			[` ${hint}`, 'faint'],
		]);
	const filter: readonly Span[] =
		screen.filter === ''
			? []
			: [
					[`/${screen.filter} `, 'accent'],
					['(esc clears) ', 'faint'],
				];
	const notice: readonly Span[] = screen.notice === undefined ? filter : [[`${screen.notice} `]];
	const room = width - 4 - notice.reduce((sum, [text]) => sum + theme.ruler.width(text), 0);
	const left: Span[] = [[' '], ...asManyAsFit(hints, '  ', Math.max(room, 12), theme)];
	return painted(atEnds(left, notice, width, theme), theme);
}

function filterLine({ screen, width, theme }: Asked, shownCount: number): string {
	const { problem } = filterFrom(screen.filter);
	const right: readonly Span[] = problem
		? [[` ${problem} `, 'bad']]
		: [[` ${shownCount} shown `, 'faint']];
	const rightWidth = theme.ruler.width(right[0]?.[0] ?? '');
	const typed = endOf(screen.filter, Math.max(8, width - rightWidth - 5), theme);
	return painted(atEnds([[' /', 'accent'], [typed], ['▏', 'accent']], right, width, theme), theme);
}

/** Of a long text the end is seen, where it is being typed. */
function endOf(text: string, width: number, { ruler, glyphs }: Theme): string {
	if (ruler.width(text) <= width) return text;
	let end = text;
	while (ruler.width(end) > width - 1) end = end.slice(1);
	return glyphs.ellipsis + end;
}
