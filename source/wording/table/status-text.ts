import type { Glyphs } from '../../drawing/glyphs.ts';
import type { Span } from '../../drawing/span.ts';
import type { Theme, Tone } from '../../drawing/theme.ts';
import { compactDuration } from '../../drawing/time-text.ts';
import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import type { StopReason } from '../../fleet/computers/stop-reason.ts';
import { uptimeOf } from '../../fleet/computers/uptime.ts';
import type { Row } from '../../store/selectors.ts';
import type { ComputerState } from '../../store/state.ts';
import type { CellContext } from './cell-context.ts';

type PhaseStyle = { label: string; glyph: keyof Glyphs & string; tone: Tone };

/**
 * The label, glyph and colour of each phase. Colour alone would not be enough for people who cannot tell
 * the colours apart.
 */
export const phaseStyles: Readonly<Record<Phase, PhaseStyle>> = {
	creating: { label: 'Creating', glyph: 'busy', tone: 'busy' },
	active: { label: 'Active', glyph: 'active', tone: 'good' },
	stopped: { label: 'Stopped', glyph: 'stopped', tone: 'faint' },
	error: { label: 'Error', glyph: 'error', tone: 'bad' },
	stopping: { label: 'Stopping', glyph: 'busy', tone: 'busy' },
	starting: { label: 'Starting', glyph: 'busy', tone: 'busy' },
	restarting: { label: 'Restarting', glyph: 'busy', tone: 'busy' },
	updating: { label: 'Updating', glyph: 'busy', tone: 'busy' },
	archived: { label: 'Archived', glyph: 'noValue', tone: 'faint' },
	pooled: { label: 'Pooled', glyph: 'stopped', tone: 'faint' },
	unknown: { label: 'Unknown', glyph: 'unknown', tone: 'busy' },
};

/** Returns the word for a status; a status that this program does not know keeps the platform's own word. */
export function statusWord(status: string | null): string {
	const phase = phaseOf(status ?? undefined);
	return phase === 'unknown' && status ? status : phaseStyles[phase].label.toLowerCase();
}

/** Says why a computer stopped, if no operation stopped it and the reason is known. */
export function stopReasonText(reason: StopReason | undefined): string | undefined {
	if (reason === 'credits') return 'out of credits';
	return reason === 'asleep' ? 'asleep' : undefined;
}

/**
 * Shows the phase of a computer. If this program does not know the status, the platform's own word is
 * shown.
 */
export function statusSpans({ phase, reading }: ComputerState, { glyphs }: Theme): readonly Span[] {
	const { label, glyph, tone } = phaseStyles[phase];
	const word = phase === 'unknown' && reading.status ? reading.status : label;
	return [[`${String(glyphs[glyph])} ${word}`, tone]];
}

/**
 * Returns how long the computer has been running. If its data is old, the uptime at the time of the last
 * read is shown as a minimum.
 */
export function uptimeText(
	row: Row,
	{ now, lastReadAtOf, ageOf, theme }: CellContext,
): string | undefined {
	const isOld = ageOf(row) === 'old';
	const uptime = uptimeOf(row.computer, isOld ? Math.min(now, lastReadAtOf(row) ?? now) : now);
	if (!uptime) return undefined;
	const isAtLeast = uptime.isLowerBound || isOld;
	// The uptime of an old row does not change, so it is written in full even on a slow line.
	const text = isOld
		? compactDuration(uptime.milliseconds)
		: theme.times.compactDuration(uptime.milliseconds);
	return isAtLeast ? `${theme.glyphs.atLeast}${text}` : text;
}
