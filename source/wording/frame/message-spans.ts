import { cutBeforeWord, fitToWidth, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../lines/theme.ts';
import type { Notice } from '../../screen/notice.ts';
import { type WaitLine, wholeLine } from '../phrases/waiting-text.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  Stopping in 4 s, Esc cancels   Cannot restart atlas: its stop counts down
//  Deleti… in 5 s, Esc to cancel
//  Next in 4 s, Esc cancels all
//  Stopping atlas: on hold

/** A message of the line above the keys. */
export type Message = {
	spans: readonly Span[];
	/** The parts of a message about a countdown. */
	countdown?: WaitLine;
	/** Whether it tells a failure, which stays until a person takes it away. */
	isFailure?: boolean;
	/** Shorter forms of the message, from the longest to the shortest. */
	shorterForms?: readonly (readonly Span[])[];
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
	const forms = refusal ? [`${refusal.why}${refusal.advice}`, refusal.why] : (shorterForms ?? []);
	return { spans: [[text]], shorterForms: forms.map(form => [[form]]) };
}

const gap = '   ';

/**
 * Joins the messages. The countdown and the newest message are whole or left out. A failure takes the room between them,
 * because it stays when they leave.
 */
export function messageSpans(
	messages: readonly Message[],
	width: number,
	theme: Theme,
): readonly Span[] {
	const room = width - 2;
	const failure = messages.find(({ isFailure }) => isFailure);
	const [first, ...rest] = fittedParts(
		messages.filter(message => message !== failure),
		room,
		theme,
	);
	const fitted = first ? [first, ...rest] : [];
	const left = room - widthOf(joined(fitted), theme) - (first ? gap.length : 0);
	const failureParts =
		failure && (left >= minFailureCells || !first)
			? [cutBeforeWord(failure.spans, left, theme)]
			: [];
	const all =
		first && messages[0]?.countdown
			? [first, ...failureParts, ...rest]
			: [...failureParts, ...fitted];
	return fitToWidth([[' '], ...joined(all)], width, theme);
}

const minFailureCells = 20;

const joined = (parts: readonly (readonly Span[])[]): readonly Span[] =>
	parts.flatMap((part, at) => (at === 0 ? part : [[gap] as const, ...part]));

/** Returns as many messages as fit without a cut. If the first message alone is too long, it is shortened. */
function fittedParts(
	[first, second]: readonly Message[],
	room: number,
	theme: Theme,
): readonly (readonly Span[])[] {
	if (!first) return [];
	const both = second ? [first.spans, second.spans] : [first.spans];
	if (widthOf(joined(both), theme) <= room) return both;
	const beside = refusalBesideCountdown(first, second, room, theme);
	if (beside) return beside;
	if (widthOf(first.spans, theme) <= room) return [first.spans];
	const shortened = first.countdown
		? withWholeEnd(first.countdown, first.spans, room, theme)
		: formThatFits(first, room, theme);
	return [cutBeforeWord(shortened, room + 1, theme)];
}

/** Returns the longest form of a message that fits; if none does, the shortest. */
function formThatFits(
	{ spans, shorterForms = [] }: Message,
	room: number,
	theme: Theme,
): readonly Span[] {
	const forms = [spans, ...shorterForms];
	return forms.find(form => widthOf(form, theme) <= room) ?? forms.at(-1) ?? spans;
}

const minRefusalCells = 20;

/**
 * Shortens a countdown that leaves no room for the refusal of a key. A person waits for the refusal, which names the
 * computer, and would press the key again. Other messages wait until the countdown has ended.
 */
function refusalBesideCountdown(
	{ countdown }: Message,
	refusal: Message | undefined,
	width: number,
	theme: Theme,
): readonly (readonly Span[])[] | undefined {
	if (countdown?.brief === undefined || !refusal?.shorterForms?.length) return undefined;
	const brief: Span = [countdown.brief, 'busy'];
	const room = width - widthOf([brief, [gap]], theme);
	const form = formThatFits(refusal, room, theme);
	if (widthOf(form, theme) > room && room < minRefusalCells) return undefined;
	return [[brief], cutBeforeWord(form, room, theme)];
}

const minTargetCells = 6;

/** Cuts the beginning of a long countdown. The seconds and the key that cancels it stay: a person needs them in time. */
function withWholeEnd(
	{ begin, end, brief, briefest }: WaitLine,
	spans: readonly Span[],
	width: number,
	theme: Theme,
): readonly Span[] {
	const room = width - theme.ruler.width(end);
	if (end === '') return spans;
	if (room < minTargetCells) {
		const form = [brief, briefest].find(
			text => text !== undefined && theme.ruler.width(text) <= width,
		);
		return form === undefined ? spans : [[form, 'busy']];
	}
	return [
		...(theme.ruler.width(begin) <= room
			? [[begin, 'busy'] as const]
			: fitToWidth([[begin, 'busy']], room, theme)),
		[end, 'busy'],
	];
}
