import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeText, timeTextWithSeconds } from '../../drawing/time-text.ts';
import {
	type Change,
	type OperationMove,
	requesterText,
	type StatusChange,
} from '../../fleet/change.ts';
import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import { durationText } from '../../foundation/duration.ts';
import { outcomeWords } from '../phrases/outcome-text.ts';
import { statusWord, stopReasonText } from '../table/status-text.ts';
import { loggedOutcome } from './log-text.ts';

//  08:14:07   restarted by you (9 s)
//  06:12:40   asleep after 2 h 10 min active
//  Tue 19:02  updated by norma@example.com (21 s)
//  11-21 19:02  woke in 9 s

type StoryOptions = {
	now: number;
	/** The e-mail address of the signed-in user. */
	email: string | undefined;
	/** The reason of the present error, which stands above the story. */
	knownError?: string | undefined;
	theme: Theme;
};

// A change of status this close to the end of an operation counts as caused by the operation.
const sameEventMs = 15_000;

const restingPhases: readonly Phase[] = [
	'active',
	'stopped',
	'error',
	'archived',
	'pooled',
	'unknown',
];

/**
 * Returns the changes of one computer for its story, newest first. The end of an operation replaces the steps of the
 * operation and the changes of status that it caused.
 */
export function storyOf(history: readonly Change[]): readonly Change[] {
	const moves = history.filter(change => change.type === 'operationMoved');
	const lastMoves = new Map(moves.map(move => [move.wish.key, move]));
	const isCaused = ({ at, to }: StatusChange) =>
		to !== null &&
		phaseOf(to) !== 'error' &&
		moves.some(move => move.to === 'settled' && Math.abs(move.at - at) <= sameEventMs);
	return history
		.filter(change => {
			if (change.type === 'operationMoved') return lastMoves.get(change.wish.key) === change;
			if (change.type !== 'statusChanged') return false;
			const isResting = change.to === null || restingPhases.includes(phaseOf(change.to));
			return change.from === null || (isResting && !isCaused(change));
		})
		.toReversed();
}

/** Returns the lines of the story, newest first. */
export function storyLines(
	history: readonly Change[],
	options: StoryOptions,
): readonly (readonly Span[])[] {
	const { now } = options;
	const beforeOf = statusChangesBefore(history);
	const story = storyOf(history);
	const times = story.map(({ at }) => storyTimeText(at, now));
	const width = Math.max(...times.map(({ length }) => length));
	return story.map((change, at) => [
		[` ${times[at]?.padEnd(width)}  `, 'faint'],
		...storySpans(change, beforeOf.get(change), options),
	]);
}

/** Writes 08:14:07 today, and 2026-11-20 08:14 on another day. */
function storyTimeText(at: number, now: number): string {
	const time = timeText(at, now);
	return time.length > 5 ? time : timeTextWithSeconds(at, now);
}

/** Maps each change of the status to the previous one. */
function statusChangesBefore(history: readonly Change[]): ReadonlyMap<Change, StatusChange> {
	const before = new Map<Change, StatusChange>();
	let last: StatusChange | undefined;
	for (const change of history) {
		if (change.type !== 'statusChanged') continue;
		if (last) before.set(change, last);
		last = change;
	}
	return before;
}

function storySpans(
	change: Change,
	before: StatusChange | undefined,
	{ email, now, knownError }: StoryOptions,
): readonly Span[] {
	if (change.type === 'operationMoved') return [operationSpan(change, email)];
	if (change.type !== 'statusChanged') return [];
	const isBad = change.to !== null && phaseOf(change.to) === 'error';
	const isUncertain = change.at - change.notBefore > minShownUncertaintyMs;
	return [
		[statusText(change, before, knownError), isBad ? 'bad' : undefined],
		...(isUncertain
			? [[`, some time after ${storyTimeText(change.notBefore, now)}`, 'faint'] as const]
			: []),
	];
}

const minShownUncertaintyMs = 5 * 60_000;

function operationSpan(move: OperationMove, email: string | undefined): Span {
	const took = move.took < 1000 ? '' : ` (${durationText(move.took)})`;
	if (move.to === 'settled') return [`${outcomeByText(move, email)}${took}`];
	return [outcomeText(move), move.to === 'failed' ? 'bad' : undefined];
}

/** Says what was done and who asked for it, such as "restarted by you". */
export const outcomeByText = (move: OperationMove, email: string | undefined) =>
	`${outcomeText(move)} by ${requesterText(move, new Set(email === undefined ? [] : [email]))}`;

function outcomeText(move: OperationMove): string {
	const { screen } = outcomeWords(loggedOutcome(move));
	return `${screen.slice(0, 1).toLowerCase()}${screen.slice(1)}`;
}

/** Describes a change. The changes before it show how long a computer ran before it stopped, and whether it was asleep. */
function statusText(
	{ from, to, lasted, reason, error }: StatusChange,
	before?: StatusChange,
	knownError?: string,
): string {
	if (to === null) return 'gone';
	if (from === null) return `new: ${statusWord(to)}`;
	const hasRested = restingPhases.includes(phaseOf(from));
	if (!hasRested && phaseOf(to) === 'stopped' && before?.to === from && before.from)
		return statusText({ ...before, to, reason: reason ?? before.reason ?? 'unknown' });
	// What was stopped wakes up.
	const wakes = phaseOf(from) === 'starting' && phaseOf(to) === 'active';
	const [word, why] =
		error === undefined
			? [stopReasonText(reason) ?? statusWord(to), '']
			: [statusWord(to), error === knownError ? '' : `: ${error}`];
	if (lasted === undefined) return `${word}${why}`;
	const time = durationText(lasted);
	// A computer is active for days, but it starts in seconds.
	if (hasRested) return `${statusWord(from)} for ${time} → ${word}${why}`;
	return `${wakes ? 'woke' : word} ${error === undefined ? 'in' : 'after'} ${time}${why}`;
}
