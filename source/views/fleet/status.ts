import { type Change, computerIdOf } from '../../fleet/change.ts';
import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import { stageText } from '../../fleet/computers/creation-stages.ts';
import type { StopReason } from '../../fleet/computers/stop-reason.ts';
import { phaseStartOf, startToleranceMs, uptimeOf } from '../../fleet/computers/uptime.ts';
import { isOfThisProcess, isUnsent, type Operation } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { bar } from '../../lines/bar.ts';
import { cellsOf } from '../../lines/measure.ts';
import { joinedParts, partsThatFit } from '../../lines/parts.ts';
import { fitTo, type Span, widthOf } from '../../lines/span.ts';
import type { Tone } from '../../lines/theme.ts';
import { compactDuration } from '../../lines/time-text.ts';
import { overdueText, usualDurationIfSlow } from '../../operations/durations.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { AccountState } from '../../store/state.ts';
import { creationTimeLeftMs, usualCreationMs } from '../phrases/creation.ts';
import { errorText } from '../phrases/error-advice.ts';
import { outcomeFromOperation, outcomePhrase } from '../phrases/outcome.ts';
import { roundedUpToSeconds, waitParts } from '../phrases/waiting.ts';
import type { CellContext } from './cell-context.ts';

type PhaseStyle = { label: string; sign: string; tone: Tone };

/** Colour alone would not be enough for people who cannot tell the colours apart, so each phase has a sign and a word. */
export const phaseStyles: Readonly<Record<Phase, PhaseStyle>> = {
	creating: { label: 'Creating', sign: '◐', tone: 'busy' },
	active: { label: 'Active', sign: '●', tone: 'good' },
	stopped: { label: 'Stopped', sign: '○', tone: 'faint' },
	error: { label: 'Error', sign: '✖', tone: 'bad' },
	stopping: { label: 'Stopping', sign: '◐', tone: 'busy' },
	starting: { label: 'Starting', sign: '◐', tone: 'busy' },
	restarting: { label: 'Restarting', sign: '◐', tone: 'busy' },
	updating: { label: 'Updating', sign: '◐', tone: 'busy' },
	archived: { label: 'Archived', sign: '–', tone: 'faint' },
	pooled: { label: 'Pooled', sign: '○', tone: 'faint' },
	unknown: { label: 'Unknown', sign: '?', tone: 'busy' },
};

/** A status that this program does not know keeps the platform's own word. */
export function statusWord(status: string | null): string {
	const phase = phaseOf(status ?? undefined);
	return phase === 'unknown' && status ? status : phaseStyles[phase].label.toLowerCase();
}

export function stopReasonText(reason: StopReason | undefined): string | undefined {
	if (reason === 'credits') return 'out of credits';
	return reason === 'asleep' ? 'asleep' : undefined;
}

// The words of the usual phases have no colour, so that a person notices the coloured ones.
const quietPhases: readonly Phase[] = ['active', 'stopped', 'pooled'];

/** A status that is older than the list says its age instead of its time, and where it has no room instead of its word. */
export function statusCell(row: FleetRow, context: CellContext, width = Infinity): readonly Span[] {
	const { phase, reading } = row.computer;
	const { label, sign, tone } = phaseStyles[phase];
	const word = ` ${phase === 'unknown' && reading.status ? reading.status : label}`;
	const { times } = context;
	const age = context.statusAgeOf(row);
	if (age !== undefined) {
		const short = times.age(age);
		const forms = [`${word}, ${times.spacedAge(age)} old`, `${word} ${short} old`];
		const fitting = forms.find(text => cellsOf(sign + text) <= width) ?? ` ${short} old`;
		return [[sign + fitting, 'busy']];
	}
	const time = phaseTimeText(row, context);
	const timed = time === undefined ? word : `${word} ${time}`;
	const text = cellsOf(timed) < width ? timed : word;
	return [
		[sign, tone],
		[text, quietPhases.includes(phase) ? undefined : tone],
	];
}

const minuteMs = 60_000;

/** The time of an active computer is its uptime, which has a column of its own. */
const timelessPhases: readonly Phase[] = ['active', 'archived', 'pooled', 'unknown'];

function phaseTimeText(row: FleetRow, context: CellContext): string | undefined {
	const { now, times } = context;
	if (timelessPhases.includes(row.computer.phase)) return undefined;
	const { at, isLowerBound } = phaseStartOf(row.computer);
	const until = context.ageOf(row) === 'old' ? readAtOf(row, context) : now;
	const lasted = Math.max(0, until - at);
	// That it has lasted for a few seconds at least says nothing.
	if (isLowerBound && lasted < minuteMs) return undefined;
	return `${isLowerBound ? '≥' : ''}${times.age(lasted)}`;
}

const readAtOf = (row: FleetRow, { now, lastReadAtOf }: CellContext) =>
	Math.min(now, lastReadAtOf(row) ?? now);

/** The uptime is that of the last read, so that it never goes back when reads fail. */
export function uptimeText(row: FleetRow, context: CellContext): string | undefined {
	const isOld = context.ageOf(row) === 'old';
	const uptime = uptimeOf(row.computer, readAtOf(row, context));
	if (!uptime) return undefined;
	// The uptime of an old row does not change, so it is written in full even on a slow line.
	const write = isOld ? compactDuration : context.times.compactDuration;
	return `${uptime.isLowerBound || isOld ? '≥' : ''}${write(uptime.milliseconds)}`;
}

/** A request that failed never hides why the computer is in error. */
export const isErrorShown = ({ computer: { phase, reading }, operation }: FleetRow) =>
	phase === 'error' && operation?.stage === 'failed' && !!reading.error;

export function stageSpans(row: FleetRow, context: CellContext, width = Infinity): readonly Span[] {
	const { computer, operation } = row;
	const { phase, reading, stopReason, isMissing } = computer;
	// The stages of a creation say more than the time that it has taken.
	const isCreated =
		phase === 'creating' &&
		!isMissing &&
		operation?.stage === 'accepted' &&
		operationRowOf(operation.spec.operation).subject === 'account';
	if (operation && !isCreated && !isErrorShown(row))
		return operationSpans(operation, context, width, phaseStyles[phase].label);
	if (isMissing) return [['no longer known to the platform', 'busy']];
	switch (phase) {
		case 'error':
			return [[errorText(reading.error, width), 'bad']];
		case 'creating':
			return creationSpans(row, context, width);
		case 'stopped': {
			const reason = stopReasonText(stopReason);
			return reason === undefined ? [] : [[reason, stopReason === 'credits' ? 'busy' : 'faint']];
		}
		case 'active':
		case 'archived': {
			const event = lastEventOfRow(row, context);
			return event ? [[`${event.text} ${context.times.ago(context.now - event.at)}`, 'faint']] : [];
		}
		default:
			return [[reading.stageMessage ?? stageText(reading.stage ?? ''), 'faint']];
	}
}

type OperationContext = Pick<CellContext, 'now' | 'times' | 'waitingFor' | 'canChange'> & {
	account: Pick<AccountState, 'changes'>;
};

/** `besideWord` is the word of the status beside it, which is not said twice. */
export function operationSpans(
	operation: Operation,
	context: OperationContext,
	width = Infinity,
	besideWord?: string,
): readonly Span[] {
	const { now, times, waitingFor, canChange } = context;
	const { spec, stage, sentAt, askedAt } = operation;
	const waiting = stage === 'failed' ? undefined : waitingFor(spec.key);
	if (waiting) {
		const look = { time: times.duration, canCancel: canChange };
		return joinedParts(partsThatFit(waitParts(spec.operation, '', waiting, now, look), width, ''));
	}
	if (!isOfThisProcess(operation) && isUnsent(operation))
		return [[textOfOtherPane(operation, context), 'busy']];
	const outcome = outcomeFromOperation(operation);
	const words = outcomePhrase(outcome);
	if (stage !== 'sent' && stage !== 'accepted')
		return [[words, outcome.stage === 'failed' ? 'bad' : 'busy']];
	const time = `${words} ${times.compactDuration(now - (sentAt ?? askedAt))}`;
	const slow = slowText(operation, context, time);
	return slow === undefined && words === besideWord ? [] : [[slow ?? time, 'busy']];
}

function textOfOtherPane(
	{ spec, graceEndsAt }: Operation,
	{ now, times }: OperationContext,
): string {
	const { verbInHelp, ownCommand } = operationRowOf(spec.operation);
	const what = `Another pane ${verbInHelp} ${ownCommand ? 'on it' : 'it'}`;
	if (graceEndsAt === undefined) return `${what} later`;
	return `${what} in ${times.duration(roundedUpToSeconds(graceEndsAt - now))}`;
}

function slowText(
	operation: Operation,
	{ now, account }: OperationContext,
	time: string,
): string | undefined {
	const overdue = overdueText(operation, now);
	const usual = usualDurationIfSlow(operation, account.changes, now);
	if (usual === undefined) return overdue;
	return `${overdue ?? time}, usually ${compactDuration(usual)}`;
}

//  loading image  ━━━╸────  63%  ~20s

const minWordsWidth = 14;
const minBarWidth = 4;
const maxBarWidth = 8;
/** In fewer cells, the words leave. */
const minWidthForWords = 18;

/** The words take what room is left. Without a width, as for speech, nothing is drawn. */
function creationSpans(row: FleetRow, context: CellContext, width: number): readonly Span[] {
	const { computer, operation } = row;
	const { now, times } = context;
	const { stage, stageProgress, stageMessage } = computer.reading;
	const time = times.compactDuration(now - (operation?.sentAt ?? now));
	const slow = operation && slowText(operation, context, time);
	const words = slow ?? (stage ? stageText(stage) : (stageMessage ?? ''));
	if (typeof stageProgress !== 'number') return [[words, 'faint']];
	const usual = usualCreationMs(context.account.changes);
	const left = creationTimeLeftMs(computer, usual, now, context.lastReadAtOf(row) ?? now);
	// Old data has no time that runs down, because it would look as if the creation were watched.
	const isEstimated = left !== undefined && context.ageOf(row) !== 'old';
	const timeLeft = isEstimated ? `~${times.age(left)}` : '';
	const percent = `${String(stageProgress).padStart(3)}%`;
	const barIn = (cells: number): readonly Span[] =>
		cells < minBarWidth
			? []
			: [...bar(stageProgress / 100, Math.min(maxBarWidth, cells), 'busy'), [' ']];
	const drawn = barIn(width - Math.max(minWordsWidth, cellsOf(slow ?? '')) - 12);
	const gap = drawn.length > 0 ? '  ' : ' ';
	const end = slow === undefined ? `${percent}${gap}${timeLeft.padEnd(4)}` : percent;
	if (width === Infinity) return [[`${words} `, 'faint'], [end]];
	if (width < minWidthForWords) return [...barIn(width - end.length - 1), [end]];
	const room = width - end.length - 1 - widthOf(drawn);
	return [...fitTo([[words, 'faint']], room), [' '], ...drawn, [end]];
}

type LastEvent = {
	text: string;
	at: number;
	/** Undefined unless the event began the present run of the computer. */
	startedAfter: number | undefined;
};

const eventShownForMs = 3_600_000;

/** A start is dated as the uptime is, so that both say the same. The status of a stopped computer says its last event. */
export function lastEventOfRow(
	{ computer }: FleetRow,
	{ account: { changes }, now }: Pick<CellContext, 'account' | 'now'>,
): LastEvent | undefined {
	if (computer.phase === 'stopped') return undefined;
	const change = changes.findLast(
		each => now - each.at >= eventShownForMs || eventText(each, computer.id) !== undefined,
	);
	const text = change && now - change.at < eventShownForMs && eventText(change, computer.id);
	if (!change || !text) return undefined;
	const startedAfter = startedAfterIn(change);
	const start = phaseStartOf(computer).at;
	const isStart =
		computer.phase === 'active' &&
		startedAfter !== undefined &&
		start >= startedAfter - startToleranceMs &&
		start <= change.at;
	return { text, at: isStart ? start : change.at, startedAfter };
}

const textsByEarlierPhase: Readonly<Partial<Record<Phase, string>>> = {
	creating: 'created',
	starting: 'started',
	stopped: 'started',
	restarting: 'restarted',
	updating: 'updated',
	error: 'recovered',
};

function eventText(change: Change, id: string): string | undefined {
	if (computerIdOf(change) !== id) return undefined;
	if (change.type === 'operationMoved') {
		if (change.to !== 'settled') return undefined;
		return outcomePhrase({ ...change.wish, stage: 'done' }).toLowerCase();
	}
	if (change.type !== 'statusChanged' || phaseOf(change.to ?? '') !== 'active') return undefined;
	return change.from === null ? 'created' : textsByEarlierPhase[phaseOf(change.from)];
}

/** Undefined unless the change says that the computer started. */
function startedAfterIn(change: Change): number | undefined {
	if (change.type === 'statusChanged') return change.notBefore;
	if (change.type !== 'operationMoved') return undefined;
	const { goal } = operationRowOf(change.wish.operation);
	const isStart =
		goal.reaches === 'newStart' ||
		goal.reaches === 'version' ||
		(goal.reaches === 'phase' && goal.phase === 'active');
	return isStart ? change.at - change.took : undefined;
}
