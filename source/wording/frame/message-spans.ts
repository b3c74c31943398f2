import { cutBeforeWord, fitToWidth, partsThatFit, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  Stopping in 4 s, Esc cancels   Cannot restart atlas: its stop counts down
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
	const room = width - 2;
	const fit =
		refusalBesideCountdown(parts, gap, room, theme) ?? partsThatFit(parts, gap, room, theme);
	if (fit.length > 0) return fitToWidth([[' '], ...fit], width, theme);
	const cut = cutBeforeWord(withWholeCountdown(first, room, theme), width - 1, theme);
	return fitToWidth([[' '], ...cut], width, theme);
}

const minReplyCells = 20;

/**
 * Shortens a countdown that leaves no room for the refusal of a key. A person waits for the refusal, which names the
 * computer, and would press the key again. Other messages wait until the countdown has ended.
 */
function refusalBesideCountdown(
	parts: readonly (readonly Span[])[],
	gap: string,
	width: number,
	theme: Theme,
): readonly Span[] | undefined {
	const [[[text, tone] = ['']] = [], reply = []] = parts;
	const [, doing, time] = /^(\S+) .*( in \d+ s), Esc [^,]+$/.exec(text) ?? [];
	const [[refusal, refusalTone] = ['']] = reply;
	const [, short] = /^Cannot \S+ (.*)$/.exec(refusal) ?? [];
	if (doing === undefined || short === undefined) return undefined;
	if (theme.ruler.width(text) + gap.length + widthOf(reply, theme) <= width) return undefined;
	const brief: Span = [`${doing}${time}, Esc cancels`, tone];
	const room = width - widthOf([brief], theme) - gap.length;
	if (room < minReplyCells) return undefined;
	const shown: readonly Span[] =
		theme.ruler.width(refusal) <= room ? reply : [[short, refusalTone]];
	return [brief, [gap], ...cutBeforeWord(shown, room, theme)];
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
