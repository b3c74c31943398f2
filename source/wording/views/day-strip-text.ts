import type { Glyphs } from '../../drawing/glyphs.ts';
import { labelValueSpans, labelWidth } from '../../drawing/section.ts';
import { justifySpans, type Span, textOf, widthOf } from '../../drawing/span.ts';
import type { Theme, Tone } from '../../drawing/theme.ts';
import { timeText } from '../../drawing/time-text.ts';
import type { Change, OperationMove } from '../../fleet/change.ts';
import {
	dayStripOf,
	type PhaseSpan,
	phaseSharesOf,
	phaseSpansOf,
	type SeenPhase,
	seenPhaseOf,
} from '../../fleet/day-strip.ts';
import { durationText } from '../../foundation/duration.ts';
import type { ComputerState } from '../../store/state.ts';
import { outcomeByText } from './story-text.ts';

//  24 h      ░░░░░░░░░░░░░████████████████████▼███████████▒███████████████████████████████████
//            24 h ago      12:00              18:00                00:00            06:00   now
//            █ up 78 %  ░ asleep 22 %  watched since 00:06            ▼ 08:14 restarted by you

const stripHours = 24;
const hourMs = 3_600_000;
const minuteMs = 60_000;

export type DayStripOptions = {
	computer: ComputerState;
	history: readonly Change[];
	/** The e-mail address of the signed-in user. */
	email: string | undefined;
	now: number;
	width: number;
	theme: Theme;
};

/**
 * Draws the phases of a computer in the last 24 hours as a strip up to the right edge, with a mark for each operation.
 * The lines below the strip give its hours, each phase's share of the watched time, the last error and the last operation.
 */
export function dayStripLines(options: DayStripOptions): readonly (readonly Span[])[] {
	const { computer, history, now, width, theme } = options;
	const spans = phaseSpansOf(history, now, stripHours, currentPhaseOf(computer));
	const cells = Math.max(1, width - labelWidth - 2);
	const phases = dayStripOf(spans, now, stripHours, cells);
	const strip = phases.map(phase => glyphSpanOf(phase, theme));
	const start = now - stripHours * hourMs;
	const operations = history
		.filter(change => change.type === 'operationMoved')
		.filter(({ to, at }) => to === 'settled' && at > start && at <= now);
	for (const { at } of operations) {
		const cell = Math.min(cells - 1, Math.floor(((at - start) / (now - start)) * cells));
		strip[cell] = [theme.glyphs.dayStrip.operation, 'accent'];
	}
	const legend = labelValueSpans('', legendSpans(spans, new Set(phases), options));
	const last = operations.at(-1);
	const sign: Span = [theme.glyphs.dayStrip.operation, 'accent'];
	const operationNotes: readonly (readonly Span[])[] = last
		? [
				operationSpans(last, options),
				[sign, [` ${timeText(last.at, now)} `]],
				[sign, [' operation ']],
			]
		: [];
	const failure = failureSpans(history, start, options);
	// The operation is the last to go, because the strip has its sign.
	const notes = failure
		? [...(last ? operationNotes : [[]]).map(each => [...failure, ...each]), ...operationNotes]
		: operationNotes;
	const note = notes.find(each => widthOf([...legend, ...each], theme) + 2 <= width);
	return [
		labelValueSpans(`${stripHours} h`, strip),
		labelValueSpans('', [[hourMarks(now, cells), 'faint']]),
		note ? justifySpans(legend, note, width, theme) : legend,
	];
}

/** Gives the time and the reason of the last error that the strip shows; undefined if no reason is known. */
function failureSpans(
	history: readonly Change[],
	start: number,
	{ now, theme }: DayStripOptions,
): readonly Span[] | undefined {
	const failure = history.findLast(
		change => change.type === 'statusChanged' && change.error !== undefined,
	);
	if (failure?.type !== 'statusChanged' || failure.at <= start) return undefined;
	return [
		[theme.glyphs.dayStrip.error, 'bad'],
		[` ${timeText(failure.at, now)} ${failure.error} `],
	];
}

const hoursBetweenMarks = 6;
const nowText = 'now';

/** Writes times below the strip: the age of its left end, the hours of the clock, and "now" at its right end. */
function hourMarks(now: number, cells: number): string {
	const begin = `${stripHours} h ago`;
	const lastStart = cells - nowText.length;
	const marks = Array.from(
		{ length: stripHours },
		(_, ago): readonly [cell: number, text: string] => {
			const at = new Date(now - ago * hourMs).setMinutes(0, 0, 0);
			const cell = Math.round(cells * (1 - (now - at) / (stripHours * hourMs)));
			const hours = new Date(at).getHours();
			return [cell, hours % hoursBetweenMarks === 0 ? timeText(at, at) : ''];
		},
	).reverse();
	const line = marks.reduce((text, [cell, mark]) => {
		const hasRoom = cell >= text.length + 2 && cell + mark.length + 2 <= lastStart;
		return mark !== '' && hasRoom ? text.padEnd(cell) + mark : text;
	}, begin);
	return line.length + 2 <= lastStart ? line.padEnd(lastStart) + nowText : line.slice(0, cells);
}

function operationSpans(
	move: OperationMove,
	{ email, now, theme }: DayStripOptions,
): readonly Span[] {
	return [
		[theme.glyphs.dayStrip.operation, 'accent'],
		[` ${timeText(move.at, now)} ${outcomeByText(move, email)} `],
	];
}

/** Returns the longest legend that fits. The shortest phases are left out before a word is cut. */
function legendSpans(
	spans: readonly PhaseSpan[],
	drawn: ReadonlySet<PhaseSpan['phase']>,
	options: DayStripOptions,
): readonly Span[] {
	const { parts, notes } = legendParts(spans, drawn, options);
	const counts = parts.map((_, left) => parts.length - left);
	const forms = counts.flatMap(count =>
		notes.map(note => [...parts.slice(0, count).flat(), ...note]),
	);
	const room = options.width - labelWidth - 2;
	const fits = (form: readonly Span[]) => textOf(form).trimEnd().length <= room;
	return forms.find(fits) ?? forms.at(-1) ?? notes[0] ?? [];
}

type LegendParts = {
	/** The phases, the longest first. */
	parts: readonly (readonly Span[])[];
	/** For how long the computer was watched, in forms from the longest to the shortest. Empty if it was watched all day. */
	notes: readonly (readonly Span[])[];
};

/** Gives the share of the watched time of each phase that the strip shows: one that lasted too short has no cell. */
function legendParts(
	spans: readonly PhaseSpan[],
	drawn: ReadonlySet<PhaseSpan['phase']>,
	{ now, theme }: DayStripOptions,
): LegendParts {
	const { watchedMs, shares } = phaseSharesOf(spans);
	const hasGap = stripHours * hourMs - watchedMs >= minuteMs;
	if (watchedMs === 0) return { parts: [], notes: [[['not watched yet', 'faint']]] };
	const isBrief = watchedMs < minuteMs;
	const isOnlyPhase = hasGap && shares.size === 1;
	const sums = new Map<string, { glyph: Span; share: number }>();
	for (const [phase, share] of shares) {
		if (shares.size > 1 && !drawn.has(phase)) continue;
		const sum = sums.get(wordOf(phase));
		sums.set(wordOf(phase), { glyph: glyphSpanOf(phase, theme), share: share + (sum?.share ?? 0) });
	}
	const parts = [...sums]
		.sort(([, one], [, other]) => other.share - one.share)
		.map(([word, { glyph, share }]): readonly Span[] => [
			glyph,
			[` ${word} ${isOnlyPhase ? (isBrief ? ' ' : 'all ') : `${percentText(share)}  `}`],
		]);
	if (!hasGap) return { parts, notes: [[]] };
	if (isBrief) return { parts, notes: [[['watched for under a minute', 'faint']]] };
	const watchedSince = startOfOnlyGap(spans);
	const notes =
		watchedSince === undefined || isOnlyPhase
			? [`of ${watchedText(watchedMs)} watched`, `of ${watchedText(watchedMs)}`]
			: [`watched since ${timeText(watchedSince, now)}`, `since ${timeText(watchedSince, now)}`];
	const forms = notes.map((note): readonly Span[] => [[note, 'faint']]);
	// The share of the only phase is part of a sentence with the note.
	return { parts, notes: isOnlyPhase ? forms : [...forms, []] };
}

/** Writes whole minutes, because the strip is drawn only now and then. */
const watchedText = (watchedMs: number) =>
	`the ${durationText(Math.floor(watchedMs / minuteMs) * minuteMs)}`;

/** Returns the time since which the computer was watched without a gap; undefined if there was one. */
function startOfOnlyGap([first, ...others]: readonly PhaseSpan[]): number | undefined {
	const isOnlyGap = first?.phase === 'unseen' && others.every(({ phase }) => phase !== 'unseen');
	return isOnlyGap ? first.to : undefined;
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
