import type { Glyphs } from '../../drawing/glyphs.ts';
import { labelValueSpans, labelWidth } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Theme, Tone } from '../../drawing/theme.ts';
import type { Change } from '../../fleet/change.ts';
import type { Phase } from '../../fleet/computers/computer.ts';
import { dayStripOf, type PhaseSpan, phaseSharesOf, phaseSpansOf } from '../../fleet/day-strip.ts';
import { durationText } from '../../foundation/duration.ts';
import type { ComputerState } from '../../store/state.ts';
import { phaseStyles } from '../table/status-text.ts';

//  Last 24 h ██████████████░░░░░░░░░███████████████████▒███████████████████
//            █ active 81%  ░ stopped 18%  ▒ restarting <1%  of the 21h 56m watched  · not watched

const stripHours = 24;
const hourMs = 3_600_000;
const maxStripWidth = 96;

type DayStripOptions = {
	computer: ComputerState;
	history: readonly Change[];
	now: number;
	width: number;
	theme: Theme;
};

/**
 * Draws the phases of a computer in the last 24 hours as a strip of cells. The line below the strip gives
 * each phase's share of the watched time.
 */
export function dayStripLines(options: DayStripOptions): readonly (readonly Span[])[] {
	const { computer, history, now, width, theme } = options;
	const currentPhase = currentPhaseOf(computer);
	const cells = Math.max(1, Math.min(maxStripWidth, width - labelWidth - 2));
	const ribbon = dayStripOf(history, now, stripHours, cells, currentPhase);
	const { watchedMs, shares } = phaseSharesOf(phaseSpansOf(history, now, stripHours, currentPhase));
	const hasGap = stripHours * hourMs - watchedMs >= 60_000;
	const isOnlyPhase = hasGap && shares.size === 1;
	const legend = [...shares]
		.sort(([, one], [, other]) => other - one)
		.flatMap(([phase, share]): readonly Span[] => {
			const part = isOnlyPhase ? 'all ' : `${percentText(share)}  `;
			return [glyphSpanOf(phase, theme), [` ${phaseStyles[phase].label.toLowerCase()} ${part}`]];
		});
	if (hasGap) {
		legend.push([`of the ${durationText(watchedMs)} watched  `], glyphSpanOf('unseen', theme));
		legend.push([' not watched', 'faint']);
	}
	return [
		labelValueSpans(
			`Last ${stripHours} h`,
			ribbon.map(phase => glyphSpanOf(phase, theme)),
		),
		labelValueSpans('', legend),
	];
}

/**
 * Returns the phase and its start. The platform may report a start time from before this program first read
 * the computer.
 */
function currentPhaseOf({ phase, since, reading }: ComputerState) {
	const { startedAt } = reading;
	const isStartKnown = phase === 'active' && typeof startedAt === 'number';
	return { phase, since: isStartKnown ? Math.min(startedAt, since.at) : since.at };
}

function glyphSpanOf(phase: PhaseSpan['phase'], { glyphs }: Theme): Span {
	if (phase === 'unseen') return [glyphs.dayStrip.unseen, 'faint'];
	if (phase === 'unknown') return [glyphs.unknown, 'busy'];
	return [glyphs.dayStrip[stripKindByPhase[phase]], toneByStripKind[stripKindByPhase[phase]]];
}

type StripKind = Exclude<keyof Glyphs['dayStrip'], 'unseen'>;

const stripKindByPhase: Readonly<Record<Exclude<Phase, 'unknown'>, StripKind>> = {
	creating: 'busy',
	active: 'active',
	stopped: 'stopped',
	error: 'error',
	stopping: 'busy',
	starting: 'busy',
	restarting: 'busy',
	updating: 'busy',
	archived: 'stopped',
	pooled: 'stopped',
};

const toneByStripKind: Readonly<Record<StripKind, Tone>> = {
	active: 'good',
	stopped: 'faint',
	busy: 'busy',
	error: 'bad',
};

function percentText(share: number): string {
	if (share < 0.01) return '<1%';
	if (share < 1 && share > 0.99) return '>99%';
	return `${Math.round(share * 100)}%`;
}
