import { barSpans } from '../../drawing/chart.ts';
import type { Span } from '../../drawing/span.ts';
import { stageText } from '../../fleet/computers/creation-stages.ts';
import { isOfThisProcess, isUnsent, type Operation } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { cellsOf } from '../../lines/measure.ts';
import { joinedParts } from '../../lines/parts.ts';
import { textOf } from '../../lines/span.ts';
import type { Theme } from '../../lines/theme.ts';
import { compactDuration } from '../../lines/time-text.ts';
import { overdueText, usualDurationIfSlow } from '../../operations/durations.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { creationTimeLeftMs, usualCreationMs } from '../../views/phrases/creation.ts';
import { outcomeFromOperation, outcomePhrase } from '../../views/phrases/outcome.ts';
import { roundedUpToSeconds, waitParts } from '../../views/phrases/waiting.ts';
import type { CellContext } from './cell-context.ts';

type OperationContext = Pick<CellContext, 'now' | 'waitingFor' | 'canChange' | 'changes' | 'theme'>;

/**
 * Describes the progress of an operation that this program has started. In fewer than the needed cells, a countdown
 * leaves out Esc, which the key hints name as well.
 */
export function operationSpans(
	operation: Operation,
	context: OperationContext,
	width = Number.POSITIVE_INFINITY,
	/** The word of the status beside it, which is not said twice. */
	statusWord?: string,
): readonly Span[] {
	const { now, waitingFor, canChange, theme } = context;
	const { spec, stage, sentAt, askedAt } = operation;
	const outcome = outcomeFromOperation(operation);
	const screen = outcomePhrase(outcome);
	const waiting = stage === 'failed' ? undefined : waitingFor(spec.key);
	if (waiting) {
		const textWith = (canCancel: boolean) => {
			const options = { time: theme.times.duration, canCancel };
			return textOf(joinedParts(waitParts(spec.operation, '', waiting, now, options)));
		};
		const withKey = textWith(canChange);
		return [[cellsOf(withKey) <= width ? withKey : textWith(false), 'busy']];
	}
	const othersText = textOfOtherPane(operation, context);
	if (othersText !== undefined) return [[othersText, 'busy']];
	const tone = outcome.stage === 'failed' ? 'bad' : 'busy';
	if (stage !== 'sent' && stage !== 'accepted')
		return [[withoutShortEnd(screen, width, theme), tone]];
	const time = `${screen} ${theme.times.compactDuration(now - (sentAt ?? askedAt))}`;
	const slow = overdueOrSlowText(operation, context, time);
	if (slow === undefined && screen === statusWord) return [];
	return [[slow ?? time, 'busy']];
}

/** Says what another pane of the person is about to send; undefined for an operation of this pane, or one that was sent. */
function textOfOtherPane(
	operation: Operation,
	{ now, theme }: OperationContext,
): string | undefined {
	const { spec, graceEndsAt } = operation;
	if (isOfThisProcess(operation) || !isUnsent(operation)) return undefined;
	const { verbInHelp, ownCommand } = operationRowOf(spec.operation);
	const what = `Another pane ${verbInHelp} ${ownCommand ? 'on it' : 'it'}`;
	if (graceEndsAt === undefined) return `${what} later`;
	return `${what} in ${theme.times.duration(roundedUpToSeconds(graceEndsAt - now))}`;
}

/** Leaves out the end of a text if only its first letters have room, as in "Stop outcome unknown, c…". */
function withoutShortEnd(text: string, width: number, { ruler }: Theme): string {
	if (ruler.width(text) <= width) return text;
	const [begin = ''] = text.split(/[,:] /, 1);
	const room = width - ruler.width(begin);
	return room >= 0 && room < minEndWidth ? begin : text;
}

const minEndWidth = 8;

/**
 * Returns `time` with a note if the operation has exceeded its time limit or takes longer than usual, and
 * otherwise undefined.
 */
function overdueOrSlowText(
	operation: Operation,
	{ now, changes }: OperationContext,
	time: string,
): string | undefined {
	const overdue = overdueText(operation, now);
	const text = overdue ?? time;
	const usual = usualDurationIfSlow(operation, changes, now);
	if (usual !== undefined) return `${text}, usually ${compactDuration(usual)}`;
	return overdue === undefined ? undefined : text;
}

/** In fewer cells, the bar leaves, because the percentage and the time that is left say more. */
const minWidthForBar = 24;

const minWordsWidth = 8;
const minBarWidth = 4;

/** In more cells, the bar would stand far from its words. */
export const maxProgressWidth = 34;

/** Shows how far a creation is, and how long it still takes. */
export function creationProgressSpans(
	row: FleetRow,
	width: number,
	context: CellContext,
): readonly Span[] {
	const { computer, operation } = row;
	const { theme, now } = context;
	const { stage, stageProgress, stageMessage } = computer.reading;
	const time = theme.times.compactDuration(now - (operation?.sentAt ?? now));
	const slow = operation && overdueOrSlowText(operation, context, time);
	const words = slow ?? (stage ? stageText(stage) : (stageMessage ?? ''));
	if (typeof stageProgress !== 'number') return [[words, 'faint']];
	const usual = usualCreationMs(context.changes);
	const left = creationTimeLeftMs(computer, usual, now, context.lastReadAtOf(row) ?? now);
	// If the data is old, no time that runs down is shown, because it would look as if the creation were watched.
	const isKnown = left !== undefined && context.ageOf(row) !== 'old';
	const timeLeft = isKnown ? `~${theme.times.age(left)}` : '';
	// A creation that takes longer than usual says so in the place of an estimate.
	const hasTimeLeft = slow === undefined;
	const hasRoomForBoth = width >= minWidthForBar;
	const gap = hasRoomForBoth ? 2 : 1;
	const timeSlot = hasTimeLeft ? ' '.repeat(gap) + timeLeft.padEnd(4) : '';
	const percent = `${String(stageProgress).padStart(3)}%${timeSlot}`;
	// The text before the bar has a fixed width, so that the bar does not move when the text changes.
	const room = width - percent.length - 1;
	if (!hasRoomForBoth && room >= minWordsWidth)
		return [[`${cutOrPadded(words, room, theme)} `, 'faint'], [percent]];
	if (room < minBarWidth) return [[percent]];
	const cells = Math.min(
		16,
		Math.max(minBarWidth, room - (slow ? theme.ruler.width(slow) + 1 : 15)),
	);
	const wordsWidth = room - cells - 1;
	const textSpans: readonly Span[] =
		wordsWidth >= minWordsWidth ? [[`${cutOrPadded(words, wordsWidth, theme)} `, 'faint']] : [];
	return [...textSpans, ...barSpans(stageProgress / 100, cells, theme, 'busy'), [` ${percent}`]];
}

function cutOrPadded(words: string, width: number, { ruler, glyphs }: Theme): string {
	const size = ruler.width(words);
	if (size <= width) return words + ' '.repeat(width - size);
	const textSpans = ruler.beginning(words, width - 1);
	return `${textSpans}${glyphs.ellipsis}${' '.repeat(width - 1 - ruler.width(textSpans))}`;
}
