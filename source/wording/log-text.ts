import type { Span } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import { timeText } from '../drawing/time-text.ts';
import type { Change } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computer.ts';
import { changeSpans } from './change-text.ts';
import { phaseStyles } from './status-text.ts';

//  08:14             ● borealis: creating → active in 48s
//  08:12               you stopped eridanus
//  2026-11-20 23:10  ○ cygnus: active → stopped (asleep), some time after 22:40

type LogLineOptions = { now: number; width: number; theme: Theme };

const narrow = 60;

// A shorter time between the two looks is nothing to tell of.
const doubtShownFrom = 5 * 60_000;

/** Makes lines of what happened, with the times of all of them in one column. */
export function createLogLine(
	changes: readonly Change[],
	{ now, width, theme }: LogLineOptions,
): (change: Change) => readonly Span[] {
	const when = (at: number) => whenText(at, now, width);
	const ends = [changes[0], changes.at(-1)].flatMap(change => change ?? []);
	const widest = Math.max(0, ...ends.map(({ at }) => when(at).length));
	return change => [
		[` ${when(change.at).padEnd(widest)}  `, 'faint'],
		signOf(change, theme),
		[' '],
		...whatHappened(change, now),
		...doubtSpans(change, now),
	];
}

/** What happened, without when. */
export function whatHappened(change: Change, now: number): readonly Span[] {
	return changeSpans(change, now).slice(1);
}

// The time of today, and else the day.
function whenText(at: number, now: number, width: number): string {
	const text = timeText(at, now);
	const [date, time] = text.split(' ');
	return width < narrow && time !== undefined ? (date ?? '').slice(-5) : text;
}

function signOf(change: Change, { glyphs }: Theme): Span {
	switch (change.type) {
		case 'statusChanged': {
			if (change.to === null) return [glyphs.none, 'faint'];
			const { glyph, token } = phaseStyles[phaseOf(change.to)];
			return [String(glyphs[glyph]), token];
		}
		case 'operationMoved':
			if (change.to === 'failed') return [glyphs.error, 'bad'];
			return change.to === 'unknown' ? [glyphs.unknown, 'busy'] : [' '];
		case 'toppedUp':
			return ['+', 'good'];
		case 'released':
			return [glyphs.update, 'accent'];
	}
}

/** Nobody looked for a while, so that it is only known between when it happened. */
function doubtSpans(change: Change, now: number): readonly Span[] {
	if (change.type === 'operationMoved' || change.at - change.notBefore < doubtShownFrom) return [];
	return [[`, some time after ${timeText(change.notBefore, now)}`, 'faint']];
}
