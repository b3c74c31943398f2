import { type Change, computerIdOf } from '../../fleet/change.ts';
import { type Phase, phaseOf, stageText } from '../../fleet/computers/computer.ts';
import type { StopReason } from '../../fleet/computers/stop-reason.ts';
import { phaseStartOf, startToleranceMs, uptimeOf } from '../../fleet/computers/uptime.ts';
import { isOfThisProcess, isUnsent, type Operation } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { hourMs, minuteMs } from '../../foundation/duration.ts';
import { bar } from '../../lines/chart.ts';
import { fitParts, joinedParts, type Part, partsThatFit, rightPart } from '../../lines/parts.ts';
import { cellsOf, type Span, type Tone } from '../../lines/span.ts';
import { compactDuration } from '../../lines/time-text.ts';
import { overdueText, usualDurationIfSlow } from '../../operations/why-not.ts';
import { createOldTest, laggingStatusAge, statusAnswerOf } from '../../store/freshness.ts';
import { accountOfRow, type FleetRow } from '../../store/selectors.ts';
import { type AccountState, emptyAccount } from '../../store/state.ts';
import { quietSince } from '../../store/usage-history.ts';
import { creationTimeLeftMs, usualCreationMs } from '../phrases/creation.ts';
import { errorText } from '../phrases/error-advice.ts';
import { outcomeFromOperation, outcomePhrase } from '../phrases/outcome.ts';
import { roundedUpToSeconds, waitParts } from '../phrases/waiting.ts';
import type { Scene } from '../scene.ts';

type PhaseStyle = {
	label: string;
	sign: string;
	tone: Tone;
	/** The word has no colour, so that a person notices the coloured ones. */
	isQuiet?: boolean;
	/** The time of an active computer is its uptime, which has a column of its own. */
	isTimeless?: boolean;
};

/** Colour alone would not be enough for people who cannot tell the colours apart, so each phase has a sign and a word. */
export const phaseStyles: Readonly<Record<Phase, PhaseStyle>> = {
	creating: { label: 'Creating', sign: '◐', tone: 'busy' },
	active: { label: 'Active', sign: '●', tone: 'good', isQuiet: true, isTimeless: true },
	stopped: { label: 'Stopped', sign: '○', tone: 'faint', isQuiet: true },
	error: { label: 'Error', sign: '✖', tone: 'bad' },
	stopping: { label: 'Stopping', sign: '◐', tone: 'busy' },
	starting: { label: 'Starting', sign: '◐', tone: 'busy' },
	restarting: { label: 'Restarting', sign: '◐', tone: 'busy' },
	updating: { label: 'Updating', sign: '◐', tone: 'busy' },
	archived: { label: 'Archived', sign: '–', tone: 'faint', isTimeless: true },
	pooled: { label: 'Pooled', sign: '○', tone: 'faint', isQuiet: true, isTimeless: true },
	unknown: { label: 'Unknown', sign: '?', tone: 'busy', isTimeless: true },
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

export const stateOfRow = (row: FleetRow, { accounts }: Pick<Scene, 'accounts'>): AccountState =>
	accountOfRow(accounts, row)?.state ?? emptyAccount;

/** When the status of a row was told. `lagMs` is its age where the last list is much newer. */
export function freshnessOf(row: FleetRow, scene: Scene) {
	const { now } = scene;
	const state = stateOfRow(row, scene);
	const answer = statusAnswerOf(state, row.computer);
	return {
		toldAt: answer?.at,
		readAt: Math.min(now, answer?.at ?? now),
		isOld: createOldTest(state, now)(row.computer),
		lagMs: laggingStatusAge(state, answer, now),
	};
}

export const isOld = (row: FleetRow, scene: Scene) => freshnessOf(row, scene).isOld;

/** A status that is older than the list says its age instead of its time, and where it has no room instead of its word. */
export function statusCell(row: FleetRow, scene: Scene, width = Infinity): readonly Span[] {
	const { phase, reading } = row.computer;
	const { label, sign, tone, isQuiet } = phaseStyles[phase];
	const word = ` ${phase === 'unknown' && reading.status ? reading.status : label}`;
	const { lagMs } = freshnessOf(row, scene);
	if (lagMs !== undefined) {
		const old = ` ${scene.times.spacedAge(lagMs)} old`;
		const whole = `${sign}${word},${old}`;
		return [[cellsOf(whole) <= width ? whole : sign + old, 'busy']];
	}
	const timed = `${word}${phaseTimeText(row, scene)}`;
	return [
		[sign, tone],
		[cellsOf(timed) < width ? timed : word, isQuiet ? undefined : tone],
	];
}

function phaseTimeText(row: FleetRow, scene: Scene): string {
	if (phaseStyles[row.computer.phase].isTimeless) return '';
	const { at, isLowerBound } = phaseStartOf(row.computer);
	const until = isOld(row, scene) ? freshnessOf(row, scene).readAt : scene.now;
	const lasted = Math.max(0, until - at);
	// That it has lasted for a few seconds at least says nothing.
	if (isLowerBound && lasted < minuteMs) return '';
	return ` ${isLowerBound ? '≥' : ''}${scene.times.age(lasted)}`;
}

/** The uptime is that of the last read, so that it never goes back when reads fail. */
export function uptimeText(row: FleetRow, scene: Scene): string | undefined {
	const uptime = uptimeOf(row.computer, freshnessOf(row, scene).readAt);
	if (!uptime) return undefined;
	const isAtLeast = uptime.isLowerBound || isOld(row, scene);
	return `${isAtLeast ? '≥' : ''}${scene.times.compactDuration(uptime.milliseconds)}`;
}

export function idleMsOf(row: FleetRow, scene: Pick<Scene, 'accounts' | 'now'>): number {
	const { computer } = row;
	const since = quietSince(stateOfRow(row, scene).usage, computer.id, scene.now);
	const uptime = uptimeOf(computer, scene.now);
	if (computer.phase !== 'active' || since === undefined || !uptime) return 0;
	return Math.max(0, Math.min(scene.now - since, uptime.milliseconds));
}

/** A request that failed never hides why the computer is in error. */
export const isErrorShown = ({ computer: { phase, reading }, operation }: FleetRow) =>
	phase === 'error' && operation?.stage === 'failed' && !!reading.error;

export function stageSpans(row: FleetRow, scene: Scene, width = Infinity): readonly Span[] {
	const { computer, operation } = row;
	const { phase, reading, stopReason, isMissing } = computer;
	// The stages of a creation say more than the time that it has taken.
	const isCreated =
		phase === 'creating' &&
		!isMissing &&
		operation?.stage === 'accepted' &&
		operationRowOf(operation.spec.operation).subject === 'account';
	if (operation && !isCreated && !isErrorShown(row))
		return operationSpans(operation, scene, width, phaseStyles[phase].label);
	if (isMissing) return [['no longer known to the platform', 'busy']];
	switch (phase) {
		case 'error':
			return [[errorText(reading.error, width), 'bad']];
		case 'creating':
			return creationSpans(row, scene, width);
		case 'stopped': {
			const reason = stopReasonText(stopReason);
			return reason === undefined ? [] : [[reason, stopReason === 'credits' ? 'busy' : 'faint']];
		}
		case 'active':
		case 'archived': {
			const event = lastEventOfRow(row, scene);
			return event ? [[`${event.text} ${scene.times.ago(scene.now - event.at)}`, 'faint']] : [];
		}
		case 'starting':
		case 'restarting':
		case 'updating':
		case 'stopping':
		case 'pooled':
		case 'unknown':
			return [[reading.stageMessage ?? stageText(reading.stage ?? ''), 'faint']];
	}
}

export function operationSpans(
	operation: Operation,
	scene: Scene,
	width = Infinity,
	besideWord?: string,
): readonly Span[] {
	const { now, times, waitingFor, canChange } = scene;
	const { spec, stage, sentAt, askedAt } = operation;
	const waiting = stage === 'failed' ? undefined : waitingFor(spec.key);
	if (waiting) {
		const look = { time: times.duration, canCancel: canChange };
		return joinedParts(partsThatFit(waitParts(spec.operation, '', waiting, now, look), width, ''));
	}
	if (!isOfThisProcess(operation) && isUnsent(operation))
		return [[textOfOtherPane(operation, scene), 'busy']];
	const outcome = outcomeFromOperation(operation);
	const words = outcomePhrase(outcome);
	if (stage !== 'sent' && stage !== 'accepted')
		return [[words, outcome.stage === 'failed' ? 'bad' : 'busy']];
	const time = `${words} ${times.compactDuration(now - (sentAt ?? askedAt))}`;
	const slow = slowText(operation, scene, time);
	return slow === undefined && words === besideWord ? [] : [[slow ?? time, 'busy']];
}

function textOfOtherPane({ spec, countdownEndsAt }: Operation, { now, times }: Scene): string {
	const { verbInHelp, ownCommand } = operationRowOf(spec.operation);
	const what = `Another pane ${verbInHelp} ${ownCommand ? 'on it' : 'it'}`;
	if (countdownEndsAt === undefined) return `${what} later`;
	return `${what} in ${times.duration(roundedUpToSeconds(countdownEndsAt - now))}`;
}

function slowText(operation: Operation, { now, changes }: Scene, time: string): string | undefined {
	const overdue = overdueText(operation, now);
	const usual = usualDurationIfSlow(operation, changes, now);
	if (usual === undefined) return overdue;
	return `${overdue ?? time}, usually ${compactDuration(usual)}`;
}

//  loading image  ━━━╸────  63%  ~20s

/** A longer one would put the percentage below the title of the CPU. */
const maxCreationCells = 34;
const minWordsCells = 10;
const barCells = 6;

function creationSpans(row: FleetRow, scene: Scene, width: number): readonly Span[] {
	const { computer, operation } = row;
	const { now, times, changes } = scene;
	const { stage, stageProgress, stageMessage } = computer.reading;
	const time = times.compactDuration(now - (operation?.sentAt ?? now));
	const slow = operation && slowText(operation, scene, time);
	const words = slow ?? (stage ? stageText(stage) : (stageMessage ?? ''));
	if (typeof stageProgress !== 'number') return [[words, 'faint']];
	const { isOld, readAt } = freshnessOf(row, scene);
	const left = creationTimeLeftMs(computer, usualCreationMs(changes), now, readAt);
	// Old data has no time that runs down, because it would look as if the creation were watched.
	const isEstimated = !slow && left !== undefined && !isOld;
	const timeLeft = isEstimated ? `~${times.age(left)}` : '';
	const percent = `${stageProgress}%`;
	if (width === Infinity) return [[[words, percent, timeLeft].join(' ')]];
	const parts: readonly Part[] = [
		{ spans: [[words, 'faint']], drop: 1, min: minWordsCells },
		{ spans: slow ? [] : bar(stageProgress / 100, barCells, 'busy'), drop: 3, isRight: true },
		rightPart(0, percent.padStart(4)),
		rightPart(2, slow ? '' : timeLeft.padEnd(4)),
	];
	return fitParts(parts, Math.min(width, maxCreationCells), ' ');
}

const eventShownForMs = hourMs;

/** A start is dated as the uptime is, so that both say the same. The status of a stopped computer says its last event. */
export function lastEventOfRow(row: FleetRow, scene: Pick<Scene, 'accounts' | 'now'>) {
	const { computer } = row;
	const { now } = scene;
	if (computer.phase === 'stopped') return undefined;
	const { changes } = stateOfRow(row, scene);
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
