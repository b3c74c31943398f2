import { cutBeforeWord, fitToWidth, partsThatFit, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Notice } from '../../screen/notice.ts';
import { type WaitLine, wholeLine } from '../phrases/waiting-text.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  Stopping in 4 s, Esc cancels   Cannot restart atlas: its stop counts down
//  Deleti… in 5 s, Esc to cancel
//  Stopping atlas: on hold

/** A message of the line above the keys. */
export type Message = {
	spans: readonly Span[];
	/** The parts of a message about a countdown. */
	countdown?: WaitLine;
	/** Shorter forms of the message, from the longest to the shortest. */
	shorterForms?: readonly string[];
};

export const messageOfCountdown = (countdown: WaitLine): Message => ({
	spans: [[wholeLine(countdown), 'busy']],
	countdown,
});

/** Returns the message of a notice. If it refuses a key, what the key cannot do is left out first, then the advice. */
export function messageOfNotice({
	text,
	refusal,
	shorterForms,
}: Pick<Notice, 'text' | 'refusal' | 'shorterForms'>): Message {
	if (!refusal) return { spans: [[text]], ...(shorterForms && { shorterForms }) };
	const { why, advice } = refusal;
	return { spans: [[text]], shorterForms: [`${why}${advice}`, why] };
}

/** Joins as many messages as fit without a cut. If the first message alone is too long, it is shortened. */
export function messageSpans(
	messages: readonly Message[],
	width: number,
	theme: Theme,
	gap = '   ',
): readonly Span[] {
	const [first = { spans: [] }, second] = messages;
	const room = width - 2;
	const parts = messages.map(({ spans }) => spans);
	const fit =
		refusalBesideCountdown(first, second, gap, room, theme) ??
		partsThatFit(parts, gap, room, theme);
	if (fit.length > 0) return fitToWidth([[' '], ...fit], width, theme);
	const shortened = first.countdown
		? withWholeEnd(first.countdown, first.spans, room, theme)
		: formThatFits(first, room, theme);
	return fitToWidth([[' '], ...cutBeforeWord(shortened, width - 1, theme)], width, theme);
}

/** Returns the longest form of a message that fits; if none does, the shortest. */
function formThatFits(
	{ spans, shorterForms = [] }: Message,
	room: number,
	theme: Theme,
): readonly Span[] {
	const forms = [spans, ...shorterForms.map((form): readonly Span[] => [[form]])];
	return forms.find(form => widthOf(form, theme) <= room) ?? forms.at(-1) ?? spans;
}

const minRefusalCells = 20;

/**
 * Shortens a countdown that leaves no room for the refusal of a key. A person waits for the refusal, which names the
 * computer, and would press the key again. Other messages wait until the countdown has ended.
 */
function refusalBesideCountdown(
	{ spans, countdown }: Message,
	refusal: Message | undefined,
	gap: string,
	width: number,
	theme: Theme,
): readonly Span[] | undefined {
	if (countdown?.brief === undefined || !refusal?.shorterForms) return undefined;
	if (widthOf([...spans, [gap], ...refusal.spans], theme) <= width) return undefined;
	const brief: Span = [countdown.brief, 'busy'];
	const room = width - widthOf([brief, [gap]], theme);
	const form = formThatFits(refusal, room, theme);
	if (widthOf(form, theme) > room && room < minRefusalCells) return undefined;
	return [brief, [gap], ...cutBeforeWord(form, room, theme)];
}

const minTargetCells = 6;

/** Cuts the beginning of a long countdown. The seconds and the key that cancels it stay: a person needs them in time. */
function withWholeEnd(
	{ begin, end }: WaitLine,
	spans: readonly Span[],
	width: number,
	theme: Theme,
): readonly Span[] {
	const room = width - theme.ruler.width(end);
	if (end === '' || room < minTargetCells) return spans;
	return [
		...(theme.ruler.width(begin) <= room
			? [[begin, 'busy'] as const]
			: fitToWidth([[begin, 'busy']], room, theme)),
		[end, 'busy'],
	];
}
