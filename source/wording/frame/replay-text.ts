import { barSpans } from '../../drawing/chart.ts';
import { fitToWidth, justifySpans, paintSpans, type Span, widthOf } from '../../drawing/span.ts';
import type { Binding } from '../../keys/binding.ts';
import type { Theme } from '../../lines/theme.ts';
import { compactDuration, timeText } from '../../lines/time-text.ts';

// ── replay at 16x  2026-11-21 08:14:07  ━━━━━━━━━━━━╸─────────────────────────── 12m of 1h 4m ──
// ── replay paused  2026-11-21 08:14:07  …
// ── replay ended   2026-11-21 09:04:10  …

/** The position and the speed of a replay. All times are in milliseconds since the epoch. */
export type ReplayState = {
	/** The time within the recording that is on screen. */
	time: number;
	start: number;
	end: number;
	speed: number;
	isPaused: boolean;
	/** Whether the replay has reached the end of the recording. */
	isOver: boolean;
};

/**
 * Returns the bindings with the hint of the pause key adapted: "resume" while the replay is paused, and none after
 * the end of the replay.
 */
export function withReplayHints(
	{ isPaused, isOver }: ReplayState,
	bindings: readonly Binding[],
): readonly Binding[] {
	return bindings.map(binding => {
		const { intent, hint: _, ...unhinted } = binding;
		if (intent.type !== 'replay' || intent.action.type !== 'pause') return binding;
		if (isOver) return { ...unhinted, intent };
		return isPaused ? { ...unhinted, intent, hint: 'resume' } : binding;
	});
}

/**
 * Draws the line that shows the position in the recording. In a replay, this line replaces the rule below
 * the table.
 */
export function replayLine(replay: ReplayState, width: number, theme: Theme): string {
	const { time, start, end } = replay;
	const rule = theme.glyphs.rule.repeat(2);
	const left: readonly Span[] = [
		[`${rule} `, 'faint'],
		...stateSpans(replay, true),
		[`  ${dateAndTimeText(time)}  `, 'strong'],
	];
	const right: readonly Span[] = [
		[` ${compactDuration(time - start)} of ${compactDuration(end - start)} `],
		[rule, 'faint'],
	];
	const room = width - widthOf(left, theme) - widthOf(right, theme);
	const share = end > start ? (time - start) / (end - start) : 1;
	if (room < 4) return paintSpans(fitToWidth(left, width, theme), theme);
	return paintSpans(
		justifySpans([...left, ...barSpans(share, room, theme, 'accent')], right, width, theme),
		theme,
	);
}

/**
 * Describes the position in the recording in a few words, for screens that are too short for `replayLine`.
 */
export function shortReplayText(replay: ReplayState): string {
	const [state = ['']] = stateSpans(replay, false);
	return `${state[0].trimEnd()} ${timeOfDayText(replay.time)}`;
}

// In the long form, all states have the same width, so that the time to the right of the state does not
// move.
function stateSpans({ speed, isPaused, isOver }: ReplayState, isLong: boolean): readonly Span[] {
	const word = isOver ? 'ended' : isPaused ? 'paused' : `at ${speed}x`;
	const text = isLong ? `replay ${word}`.padEnd(14) : `replay ${word}`;
	return [[text, isOver || isPaused ? 'busy' : 'good']];
}

/** Writes a time with its date, even for today, because a recording is seldom from today. */
function dateAndTimeText(time: number): string {
	const [day = ''] = timeText(time, time + 2 * 86_400_000).split(' ');
	return `${day} ${timeOfDayText(time)}`;
}

function timeOfDayText(time: number): string {
	const seconds = String(new Date(time).getSeconds()).padStart(2, '0');
	return `${timeText(time, time)}:${seconds}`;
}
