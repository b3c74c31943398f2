import { type Span, widthOf } from '../../drawing/span.ts';
import {
	type Change,
	type OperationMove,
	type OwnEmails,
	requesterText,
	type StatusChange,
} from '../../fleet/change.ts';
import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import type { Operation, OperationId, OperationStage } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { durationText } from '../../foundation/duration.ts';
import { decimalText } from '../../foundation/number-text.ts';
import type { Theme } from '../../lines/theme.ts';
import { timeText } from '../../lines/time-text.ts';
import { causeStart } from '../../views/phrases/error-advice.ts';
import { type Outcome, outcomeText } from '../../views/phrases/outcome.ts';
import { pluralize } from '../../views/phrases/words.ts';
import { phaseStyles, statusWord, stopReasonText } from '../table/status-text.ts';
import { fittedPieces, type LogPiece } from './log-pieces.ts';

const noEmails: OwnEmails = new Set();

/** Describes one change without its time. */
export const changeSpans = (...change: Parameters<typeof changePieces>): readonly Span[] =>
	changePieces(...change).map(({ span }) => span);

/** Describes one change without its time, in pieces that a narrow line can leave out. */
export function changePieces(
	change: Change,
	own: OwnEmails = noEmails,
	/** Why the computer is in error since the change, if the change does not say it. */
	errorReason?: string,
): readonly LogPiece[] {
	switch (change.type) {
		case 'statusChanged':
			return statusChangePieces(change, errorReason);
		case 'operationMoved':
			return [{ span: [operationText(change, own), change.to === 'failed' ? 'bad' : undefined] }];
		case 'toppedUp':
			return [
				{
					span: [
						`credits rose by ${decimalText(change.to - change.from)} to ${decimalText(change.to)}`,
					],
				},
			];
		case 'released':
			return [{ span: [`version ${change.to} is out`, 'accent'] }];
		case 'hookFailed':
			return [{ span: [`hook ${change.hook} ${change.message}`, 'bad'] }];
	}
}

function statusChangePieces(
	{ id, name, from, to, lasted, reason, error }: StatusChange,
	errorReason: string | undefined = error,
): readonly LogPiece[] {
	const computer = name ?? id;
	if (to === null) return [{ span: [`${computer} is gone`] }];
	if (from === null) return [{ span: [`${computer} is new: ${statusWord(to)}`] }];
	const stopReason = stopReasonText(reason);
	const isError = phaseOf(to) === 'error' || errorReason !== undefined;
	const tone = isError ? 'bad' : undefined;
	const why = errorReason === undefined ? stopPieces(stopReason) : errorPieces(errorReason);
	const timePiece = (preposition: string): readonly LogPiece[] =>
		lasted === undefined
			? []
			: [{ span: [` ${preposition} ${durationText(lasted)}`, tone], part: 'duration' }];
	// A computer is active for days, but it starts in seconds, so the duration stands beside what lasted so long.
	const isTransient = transientPhases.includes(phaseOf(from));
	return [
		{ span: [`${computer}: ${statusWord(from)}`, tone] },
		...(isTransient ? [] : timePiece('for')),
		{ span: [` → ${statusWord(to)}`, tone] },
		...(isTransient ? timePiece(isError ? 'after' : 'in') : []),
		...why.map(({ span: [text], ...piece }): LogPiece => ({ ...piece, span: [text, tone] })),
	];
}

const stopPieces = (reason: string | undefined): readonly LogPiece[] =>
	reason === undefined ? [] : [{ span: [` (${reason})`] }];

/** A narrow line leaves out what stands before the cause of an error. */
function errorPieces(error: string): readonly LogPiece[] {
	const start = causeStart(error);
	return [
		{ span: [': '] },
		...(start === 0 ? [] : [{ span: [error.slice(0, start)], part: 'errorBeginning' } as const]),
		{ span: [error.slice(start)] },
	];
}

const transientPhases: readonly Phase[] = [
	...(['creating', 'starting', 'stopping', 'restarting', 'updating'] as const),
];

/**
 * Returns how far an operation had come at the time of a change. `operation` is its state, if the store still has it.
 */
export function loggedOutcome(
	{ wish, to, isAccepted, message }: OperationMove,
	operation?: Operation,
): Outcome {
	const { advice } = operation?.failure ?? {};
	const isFinal = operation?.stage === 'failed';
	return { ...wish, stage: stageOf(to, isAccepted), reason: message, advice, isFinal };
}

function stageOf(to: OperationMove['to'], isAccepted = false): OperationStage {
	if (to === 'settled') return 'done';
	return isAccepted ? 'accepted' : to;
}

function operationText(change: OperationMove, own: OwnEmails): string {
	const { wish, count } = change;
	const several =
		count === undefined
			? {}
			: { name: pluralize(count, change.computers ? 'computer' : 'more computer') };
	const line = outcomeText(loggedOutcome({ ...change, wish: { ...wish, ...several } }));
	// The log also has changes that no operation of this program caused.
	return change.to === 'settled' ? `${line} by ${requesterText(change, own)}` : line;
}

//  08:14             ● borealis: creating → active in 48 s
//  08:12               eridanus: stopped by you
//  2026-11-20 23:10  ○ cygnus: active → stopped (asleep), some time after 22:40

type LogLineOptions = { now: number; width: number; theme: Theme };

const narrowWidth = 60;

// The time of a change is uncertain by the gap between two reads. Only longer gaps are mentioned.
const minShownUncertaintyMs = 5 * 60_000;

/**
 * Returns a function that formats a change as a line of the log that fits into the width. `changes` holds all lines, so
 * that their times can be padded to one width. `pieces` describe the change.
 */
export function createLogLineFormatter(
	changes: readonly Change[],
	{ now, width, theme }: LogLineOptions,
): (change: Change, pieces: readonly LogPiece[]) => readonly Span[] {
	const timeOf = (at: number) => logTimeText(at, now, width);
	const firstAndLast = [changes[0], changes.at(-1)].flatMap(change => change ?? []);
	const widest = Math.max(0, ...firstAndLast.map(({ at }) => timeOf(at).length));
	return (change, pieces) => {
		const begin: readonly Span[] = [
			[`${timeOf(change.at).padEnd(widest)}  `, 'faint'],
			glyphSpanOf(change, theme),
			[' '],
		];
		const earliest = earliestTimeSpans(change, now).map(
			(span): LogPiece => ({ span, part: 'earliestTime' }),
		);
		const room = width - widthOf(begin, theme);
		return [...begin, ...fittedPieces([...pieces, ...earliest], room, theme)];
	};
}

function logTimeText(at: number, now: number, width: number): string {
	const text = timeText(at, now);
	// A narrow log leaves out the year.
	return width < narrowWidth && text.includes(' ') ? text.slice('2026-'.length) : text;
}

/** Returns the sign of the status in which the operation leaves a computer. */
function reachedGlyphSpan(operation: OperationId, glyphs: Theme['glyphs']): Span {
	const { goal } = operationRowOf(operation);
	switch (goal.reaches) {
		case 'phase':
		case 'newStart':
		case 'version': {
			const { glyph, tone } = phaseStyles[goal.reaches === 'phase' ? goal.phase : 'active'];
			return [String(glyphs[glyph]), tone];
		}
		case 'gone':
			return [glyphs.noValue, 'faint'];
		case 'published':
		case 'unpublished':
		case 'exit':
			return [' '];
	}
}

/** Returns the sign before a change, such as a red cross. */
export function glyphSpanOf(change: Change, { glyphs }: Theme): Span {
	switch (change.type) {
		case 'statusChanged': {
			if (change.to === null) return [glyphs.noValue, 'faint'];
			const { glyph, tone } = phaseStyles[phaseOf(change.to)];
			return [String(glyphs[glyph]), tone];
		}
		case 'operationMoved':
			if (change.to === 'failed') return [glyphs.error, 'bad'];
			if (change.to === 'settled') return reachedGlyphSpan(change.wish.operation, glyphs);
			return change.to === 'unknown' ? [glyphs.unknown, 'busy'] : [' '];
		case 'toppedUp':
			return ['+', 'good'];
		case 'released':
			return [glyphs.updateAvailable, 'accent'];
		case 'hookFailed':
			return [glyphs.error, 'bad'];
	}
}

/**
 * Mentions the earliest possible time of a change if a long gap between two reads makes the exact time
 * unknown.
 */
export function earliestTimeSpans(change: Change, now: number): readonly Span[] {
	if (change.type === 'operationMoved' || change.at - change.notBefore < minShownUncertaintyMs)
		return [];
	return [[`, some time after ${timeText(change.notBefore, now)}`, 'faint']];
}
