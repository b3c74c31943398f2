import { fitToWidth, partsThatFit, type Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  Deleti… in 5 s, Esc to cancel
//  Stopping atlas: on hold

/** Joins as many messages as fit without a cut. If the first message alone is too long, it is cut. */
export function messageSpans(
	parts: readonly (readonly Span[])[],
	width: number,
	theme: Theme,
	gap = '   ',
): readonly Span[] {
	const [first = []] = parts;
	const fit = partsThatFit(parts, gap, width - 2, theme);
	if (fit.length > 0) return fitToWidth([[' '], ...fit], width, theme);
	return fitToWidth([[' '], ...withWholeCountdown(first, width - 2, theme)], width, theme);
}

/** Leaves out how a held countdown goes on. */
export const briefCountdown = (text: string | undefined) => text?.replace(/(?<=: on hold);.*$/, '');

const minTargetCells = 6;

/**
 * Shortens the beginning of a long countdown. The seconds and the key that cancels it stay, because a person needs
 * them in time. A held countdown does not say how it goes on.
 */
function withWholeCountdown(
	message: readonly Span[],
	width: number,
	theme: Theme,
): readonly Span[] {
	const [[text, tone] = ['']] = message;
	const [, begin = '', end = ''] = /^(.*?)( in \d+ s, .*|: on hold(?=;))/.exec(text) ?? [];
	const room = width - theme.ruler.width(end);
	if (end === '' || room < minTargetCells) return message;
	if (theme.ruler.width(begin) <= room) return [[`${begin}${end}`, tone]];
	return [...fitToWidth([[begin, tone]], room, theme), [end, tone]];
}
