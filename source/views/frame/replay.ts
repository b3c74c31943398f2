import { bar } from '../../lines/bar.ts';
import { type Span, widthOf } from '../../lines/span.ts';
import { compactDuration, timeText, timeTextWithSeconds } from '../../lines/time-text.ts';
import type { ReplayState } from '../scene.ts';

// ── replay at 16x  2026-11-21 08:14:07  ━━━━━━━━━━━━╸─────────────────────────── 12m of 1h 4m ──
// ── replay paused  2026-11-21 08:14:07  …
// ── replay ended   2026-11-21 09:04:10  …

/** In the place of the rule below the view. */
export function replayRule(replay: ReplayState, width: number): readonly Span[] {
	const { time, start, end } = replay;
	// A recording is seldom from today, so the time always has its date.
	const date = timeText(time, Number.POSITIVE_INFINITY).split(' ')[0];
	const [state, tone] = stateSpan(replay);
	const left: readonly Span[] = [
		['── ', 'faint'],
		[state.padEnd('replay paused '.length), tone],
		[`  ${date} ${timeTextWithSeconds(time, time)}  `, 'strong'],
	];
	const right: readonly Span[] = [
		[` ${compactDuration(time - start)} of ${compactDuration(end - start)} `],
		['──', 'faint'],
	];
	const cells = width - widthOf(left) - widthOf(right);
	const share = end > start ? (time - start) / (end - start) : 1;
	return cells < 4 ? left : [...left, ...bar(share, cells, 'accent'), ...right];
}

export const replaySpans = (replay: ReplayState): readonly Span[] => [
	stateSpan(replay),
	[` ${timeTextWithSeconds(replay.time, replay.time)}`],
];

function stateSpan({ speed, isPaused, isOver }: ReplayState): Span {
	const word = isOver ? 'ended' : isPaused ? 'paused' : `at ${speed}x`;
	return [`replay ${word}`, isOver || isPaused ? 'busy' : 'good'];
}
