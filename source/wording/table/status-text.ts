import { type Span, widthOf } from '../../drawing/span.ts';
import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import { stageText } from '../../fleet/computers/creation-stages.ts';
import type { StopReason } from '../../fleet/computers/stop-reason.ts';
import { phaseStartOf, uptimeOf } from '../../fleet/computers/uptime.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Glyphs } from '../../lines/glyphs.ts';
import type { Theme, Tone } from '../../lines/theme.ts';
import { compactDuration } from '../../lines/time-text.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { ComputerState } from '../../store/state.ts';
import { errorText } from '../../views/phrases/error-advice.ts';
import type { CellContext } from './cell-context.ts';
import { oneSpan } from './column.ts';
import { lastEventOfRow } from './last-event.ts';
import { creationProgressSpans, maxProgressWidth, operationSpans } from './stage-progress.ts';

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

/** Says why a computer stopped by itself, if the reason is known. */
export function stopReasonText(reason: StopReason | undefined): string | undefined {
	if (reason === 'credits') return 'out of credits';
	return reason === 'asleep' ? 'asleep' : undefined;
}

// The words of the usual phases have no colour, so that a person notices the coloured ones.
const quietPhases: readonly Phase[] = ['active', 'stopped', 'pooled'];

/**
 * Returns the phase of a computer with its sign. If this program does not know the status, the platform's own word is
 * shown.
 */
export function statusText({ phase, reading }: ComputerState, { glyphs }: Theme): string {
	const { label, glyph } = phaseStyles[phase];
	const word = phase === 'unknown' && reading.status ? reading.status : label;
	return `${String(glyphs[glyph])} ${word}`;
}

/** Returns the text of `statusText` as spans. */
export function statusSpans(computer: ComputerState, theme: Theme): readonly Span[] {
	const { glyph, tone } = phaseStyles[computer.phase];
	const text = statusText(computer, theme);
	if (!quietPhases.includes(computer.phase)) return oneSpan(text, tone);
	const sign = String(theme.glyphs[glyph]);
	return [...oneSpan(sign, tone), ...oneSpan(text.slice(sign.length))];
}

/**
 * Returns the cell of the status: with the time since it began, or with its age if it is much older than the last list. The
 * time of an active computer is its uptime, which has a column of its own.
 */
export function statusCell(row: FleetRow, width: number, context: CellContext): readonly Span[] {
	const { computer } = row;
	const { theme } = context;
	const age = context.statusAgeOf(row);
	if (age !== undefined) {
		const old = `${theme.times.spacedAge(age)} old`;
		const sign = String(theme.glyphs[phaseStyles[computer.phase].glyph]);
		const forms = [`${statusText(computer, theme)}, ${old}`, `${sign} ${old}`];
		const text = forms.find(form => theme.ruler.width(form) <= width) ?? forms.at(-1) ?? '';
		return oneSpan(text, 'busy');
	}
	const spans = statusSpans(computer, theme);
	const time = phaseTimeText(row, context);
	if (time === undefined || widthOf(spans, theme) + time.length + 1 > width) return spans;
	const [text, tone] = spans.at(-1) ?? [''];
	return [...spans.slice(0, -1), ...oneSpan(`${text} ${time}`, tone)];
}

const minuteMs = 60_000;

const timelessPhases: readonly Phase[] = ['active', 'archived', 'pooled', 'unknown'];

/** Returns how long a computer has been in its phase, unless that says nothing. */
function phaseTimeText(row: FleetRow, context: CellContext): string | undefined {
	if (timelessPhases.includes(row.computer.phase)) return undefined;
	const { now, theme, ageOf, lastReadAtOf } = context;
	const { at, isLowerBound } = phaseStartOf(row.computer);
	const until = ageOf(row) === 'old' ? Math.min(now, lastReadAtOf(row) ?? now) : now;
	const lasted = Math.max(0, until - at);
	// That it has lasted for a few seconds at least says nothing.
	if (isLowerBound && lasted < minuteMs) return undefined;
	const time = theme.times.age(lasted);
	return isLowerBound ? `${theme.glyphs.atLeast}${time}` : time;
}

/**
 * Returns how long the computer had been running when it was last read, so that the uptime never goes back when reads
 * fail. If the data is old, the uptime is a minimum.
 */
export function uptimeText(
	row: FleetRow,
	{ now, lastReadAtOf, ageOf, theme }: CellContext,
): string | undefined {
	const isOld = ageOf(row) === 'old';
	const uptime = uptimeOf(row.computer, Math.min(now, lastReadAtOf(row) ?? now));
	if (!uptime) return undefined;
	// The uptime of an old row does not change, so it is written in full even on a slow line.
	const text = isOld
		? compactDuration(uptime.milliseconds)
		: theme.times.compactDuration(uptime.milliseconds);
	return uptime.isLowerBound || isOld ? `${theme.glyphs.atLeast}${text}` : text;
}

/**
 * Describes what is happening to a computer: an operation of this program, the progress of the creation, an
 * error, the reason for a stop, or the last thing that happened.
 */
export function stageSpans(row: FleetRow, width: number, context: CellContext): readonly Span[] {
	const { now } = context;
	const { phase, reading, stopReason, isMissing } = row.computer;
	const { operation } = row;
	// A request that failed never hides why the computer is in error.
	const isExplained = phase === 'error' && operation?.stage === 'failed' && reading.error;
	if (operation && !showsStages(row) && !isExplained)
		return operationSpans(operation, context, width, phaseStyles[phase].label);
	if (isMissing) return oneSpan('no longer known to the platform', 'busy');
	if (phase === 'error') {
		const room = context.hasWholeErrors ? Number.POSITIVE_INFINITY : width;
		const { notRead } = context.theme.glyphs;
		const text = reading.error === undefined ? notRead : errorText(reading.error, room);
		return oneSpan(text, 'bad');
	}
	if (phase === 'creating')
		return creationProgressSpans(row, Math.min(width, maxProgressWidth), context);
	if (phase === 'stopped') {
		if (stopReason === 'asleep') return oneSpan('asleep', 'faint');
		if (stopReason === 'credits') return oneSpan('out of credits', 'busy');
	}
	const isSettled = phase === 'active' || phase === 'stopped' || phase === 'archived';
	if (!isSettled) return oneSpan(reading.stageMessage ?? stageText(reading.stage ?? ''), 'faint');
	const event = lastEventOfRow(row, context);
	if (!event) return [];
	const { ago, spacedAge } = context.theme.times;
	const text = `${event.text} ${ago(now - event.at)}`;
	return oneSpan(
		text.length <= width ? text : `${event.text} ${spacedAge(now - event.at)}`,
		'faint',
	);
}

// Returns whether to show the stages of a creation instead of the time that it has taken so far.
function showsStages({ operation, computer }: FleetRow): boolean {
	const isCreate =
		operation?.stage === 'accepted' &&
		operationRowOf(operation.spec.operation).subject === 'account';
	return isCreate && computer.phase === 'creating' && !computer.isMissing;
}
