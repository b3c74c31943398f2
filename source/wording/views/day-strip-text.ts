import { fitToWidth, type Span, widthOf } from '../../drawing/span.ts';
import type { Change } from '../../fleet/change.ts';
import {
	dayStripOf,
	type PhaseSpan,
	phaseSharesOf,
	phaseSpansOf,
	type SeenPhase,
	seenPhaseOf,
} from '../../fleet/day-strip.ts';
import { durationText } from '../../foundation/duration.ts';
import type { Glyphs } from '../../lines/glyphs.ts';
import type { Theme, Tone } from '../../lines/theme.ts';
import type { ComputerState } from '../../store/state.ts';

//  24 h  ░░░░░░░░░░░░░████████████████████▼███████████▒████████████   █ up 78 %  ░ asleep 22 %

const stripHours = 24;
const hourMs = 3_600_000;
const minuteMs = 60_000;

export type DayStripOptions = {
	computer: ComputerState;
	history: readonly Change[];
	now: number;
	width: number;
	theme: Theme;
};

/**
 * Draws the phases of a computer in the last 24 hours as a strip with a mark for each operation, and each phase's share of
 * the watched time. Where the strip would be too short, the shares stand below it.
 */
export function dayStripLines(options: DayStripOptions): readonly (readonly Span[])[] {
	const { width, theme } = options;
	const label: Span = [` ${stripHours} h  `, 'faint'];
	const shares = dayShares(options);
	if (shares.length === 0) return [];
	const room = width - widthOf([label], theme) - 1;
	const beside = room - 3 - Math.max(usualSharesWidth, widthOf(shares, theme));
	if (beside >= minStripWidth) return [[label, ...stripSpans(options, beside), ['   '], ...shares]];
	return [
		[label, ...stripSpans(options, Math.max(1, room))],
		fitToWidth([[' '.repeat(widthOf([label], theme))], ...shares], width, theme),
	];
}

const minStripWidth = 40;
const usualSharesWidth = 22;

function stripSpans(
	{ computer, history, now, theme }: DayStripOptions,
	cells: number,
): readonly Span[] {
	const spans = phaseSpansOf(history, now, stripHours, currentPhaseOf(computer));
	const phases = dayStripOf(spans, now, stripHours, cells);
	const strip = phases.map(phase => glyphSpanOf(phase, theme));
	const start = now - stripHours * hourMs;
	for (const change of history) {
		const { at } = change;
		const isDone = change.type === 'operationMoved' && change.to === 'settled';
		if (!isDone || at <= start || at > now) continue;
		const cell = Math.min(cells - 1, Math.floor(((at - start) / (now - start)) * cells));
		strip[cell] = [theme.glyphs.dayStrip.operation, 'accent'];
	}
	return strip;
}

/** Gives the share of the watched time of each phase, the longest first; nothing just after the first read. */
export function dayShares({ computer, history, now, theme }: DayStripOptions): readonly Span[] {
	const spans = phaseSpansOf(history, now, stripHours, currentPhaseOf(computer));
	const { watchedMs, shares } = phaseSharesOf(spans);
	if (watchedMs < minuteMs) return [];
	const sums = new Map<string, { glyph: Span; share: number }>();
	for (const [phase, share] of shares) {
		const sum = sums.get(wordOf(phase));
		sums.set(wordOf(phase), { glyph: glyphSpanOf(phase, theme), share: share + (sum?.share ?? 0) });
	}
	const parts = [...sums]
		.sort(([, one], [, other]) => other.share - one.share)
		.flatMap(([word, { glyph, share }], at): readonly Span[] => [
			[at > 0 ? '  ' : ''],
			glyph,
			[` ${word} ${percentText(share)}`],
		]);
	// Whole minutes, because the strip is drawn only now and then.
	const watched = durationText(Math.floor(watchedMs / minuteMs) * minuteMs);
	const hasGap = stripHours * hourMs - watchedMs >= minuteMs;
	return hasGap ? [...parts, [` of the ${watched} watched`, 'faint']] : parts;
}

/**
 * Returns the phase and its start. The platform may report a start time from before this program first read
 * the computer.
 */
function currentPhaseOf({ phase, since, reading, stopReason }: ComputerState) {
	const { startedAt } = reading;
	const isStartKnown = phase === 'active' && typeof startedAt === 'number';
	return {
		phase: seenPhaseOf(phase, stopReason),
		since: isStartKnown ? Math.min(startedAt, since.at) : since.at,
	};
}

function glyphSpanOf(phase: PhaseSpan['phase'], { glyphs }: Theme): Span {
	if (phase === 'unseen') return [glyphs.dayStrip.unseen, 'faint'];
	if (phase === 'unknown') return [glyphs.unknown, 'busy'];
	const { kind } = stripStyles[phase];
	return [glyphs.dayStrip[kind], toneByStripKind[kind]];
}

const wordOf = (phase: SeenPhase) => (phase === 'unknown' ? 'unknown' : stripStyles[phase].word);

type StripKind = Exclude<keyof Glyphs['dayStrip'], 'unseen' | 'operation'>;

/** The word of each phase in the legend, and the kind of cell that draws it. */
const stripStyles: Readonly<
	Record<Exclude<SeenPhase, 'unknown'>, { kind: StripKind; word: string }>
> = {
	creating: { kind: 'busy', word: 'creating' },
	active: { kind: 'active', word: 'up' },
	asleep: { kind: 'asleep', word: 'asleep' },
	stopped: { kind: 'stopped', word: 'stopped' },
	error: { kind: 'error', word: 'error' },
	stopping: { kind: 'busy', word: 'changing' },
	starting: { kind: 'busy', word: 'changing' },
	restarting: { kind: 'busy', word: 'changing' },
	updating: { kind: 'busy', word: 'changing' },
	archived: { kind: 'stopped', word: 'archived' },
	pooled: { kind: 'stopped', word: 'pooled' },
};

const toneByStripKind: Readonly<Record<StripKind, Tone>> = {
	active: 'good',
	asleep: 'faint',
	stopped: 'faint',
	busy: 'busy',
	error: 'bad',
};

function percentText(share: number): string {
	if (share < 0.01) return '<1 %';
	if (share < 1 && share > 0.99) return '>99 %';
	return `${Math.round(share * 100)} %`;
}
