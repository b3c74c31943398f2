import type { Change, OperationMove, StatusChange } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computer.ts';
import type { Span } from './span.ts';
import { looks } from './status-text.ts';
import { spanText, timeText } from './time-text.ts';

/** One thing that happened, as the log and the footer tell it. */
export function changeSpans(change: Change, now: number): readonly Span[] {
	return [[`${timeText(change.at, now)} `, 'faint'], ...whatSpans(change)];
}

function whatSpans(change: Change): readonly Span[] {
	switch (change.type) {
		case 'statusChanged':
			return statusSpans(change);
		case 'operationMoved':
			return [[operationText(change), change.to === 'failed' ? 'bad' : undefined]];
		case 'toppedUp':
			return [[`credits topped up by ${(change.to - change.from).toFixed(2)}`]];
		case 'released':
			return [[`version ${change.to} is out`, 'accent']];
	}
}

function statusSpans({ id, name, from, to, lasted, reason }: StatusChange): readonly Span[] {
	const who = name ?? id;
	if (to === null) return [[`${who} is gone`]];
	if (from === null) return [[`${who} is new: ${wordOf(to)}`]];
	const time = lasted === undefined ? '' : ` in ${spanText(lasted)}`;
	const why = reason === 'asleep' ? ' (asleep)' : reason === 'credits' ? ' (out of credits)' : '';
	const isBad = phaseOf(to) === 'error';
	return [[`${who}: ${wordOf(from)} → ${wordOf(to)}${time}${why}`, isBad ? 'bad' : undefined]];
}

function wordOf(status: string): string {
	const phase = phaseOf(status);
	return phase === 'unknown' ? status : looks[phase].label.toLowerCase();
}

const pasts = {
	create: 'created',
	start: 'started',
	stop: 'stopped',
	restart: 'restarted',
	update: 'updated',
	delete: 'deleted',
	publish: 'published a port of',
	unpublish: 'unpublished a port of',
} as const;

function operationText({ wish, to, message }: OperationMove): string {
	const name = wish.name ?? wish.computer ?? 'a computer';
	if (to === 'settled') return `you ${pasts[wish.operation]} ${name}`;
	const why = message ? `: ${message}` : '';
	if (to === 'failed') return `could not ${wish.operation} ${name}${why}`;
	if (to === 'cancelled') return `you called off: ${wish.operation} ${name}`;
	return to === 'unknown'
		? `${wish.operation} ${name}: outcome unknown${why}`
		: `${wish.operation} ${name}`;
}
