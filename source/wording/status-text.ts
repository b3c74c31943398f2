import type { Glyphs } from '../drawing/glyphs.ts';
import type { Span } from '../drawing/span.ts';
import type { Theme, Token } from '../drawing/theme.ts';
import { spanText } from '../drawing/time-text.ts';
import type { Phase } from '../fleet/computer.ts';
import { uptimeOf } from '../fleet/uptime.ts';
import type { Row } from '../store/selectors.ts';
import type { ComputerState } from '../store/state.ts';
import type { CellContext } from './cell-context.ts';

type PhaseStyle = { label: string; glyph: keyof Glyphs & string; token: Token };

/** A phase is never shown by its colour alone, so that everyone can tell the phases apart. */
export const phaseStyles: Readonly<Record<Phase, PhaseStyle>> = {
	creating: { label: 'Creating', glyph: 'busy', token: 'busy' },
	active: { label: 'Active', glyph: 'active', token: 'good' },
	stopped: { label: 'Stopped', glyph: 'stopped', token: 'faint' },
	error: { label: 'Error', glyph: 'error', token: 'bad' },
	stopping: { label: 'Stopping', glyph: 'busy', token: 'busy' },
	starting: { label: 'Starting', glyph: 'busy', token: 'busy' },
	restarting: { label: 'Restarting', glyph: 'busy', token: 'busy' },
	updating: { label: 'Updating', glyph: 'busy', token: 'busy' },
	archived: { label: 'Archived', glyph: 'none', token: 'faint' },
	pooled: { label: 'Pooled', glyph: 'stopped', token: 'faint' },
	unknown: { label: 'Unknown', glyph: 'unknown', token: 'busy' },
};

/** Shows a status that this program does not know in the platform's own word. */
export function statusSpans({ phase, reading }: ComputerState, { glyphs }: Theme): readonly Span[] {
	const { label, glyph, token } = phaseStyles[phase];
	const word = phase === 'unknown' && reading.status ? reading.status : label;
	return [[`${String(glyphs[glyph])} ${word}`, token]];
}

/**
 * Returns how long the computer has been running. If the last reading is old, the uptime at that time is
 * shown as a minimum.
 */
export function uptimeText(
	row: Row,
	{ now, lastReadAtOf, ageOf, theme }: CellContext,
): string | undefined {
	const isOld = ageOf(row) === 'old';
	const uptime = uptimeOf(row.computer, isOld ? Math.min(now, lastReadAtOf(row) ?? now) : now);
	if (!uptime) return undefined;
	const isAtLeast = uptime.isLowerBound || isOld;
	// The uptime of an old row does not grow, so it must not make the ticker redraw every second.
	const text = isOld ? spanText(uptime.milliseconds) : theme.times.span(uptime.milliseconds);
	return isAtLeast ? `${theme.glyphs.atLeast}${text}` : text;
}
