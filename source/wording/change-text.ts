import type { Span } from '../drawing/span.ts';
import { spanText, timeText } from '../drawing/time-text.ts';
import type { Change, OperationMove, StatusChange } from '../fleet/change.ts';
import { type Phase, phaseOf } from '../fleet/computer.ts';
import type { Wish } from '../fleet/fact.ts';
import { phaseStyles } from './status-text.ts';

/** One thing that happened, as the log and the footer tell it. */
export function changeSpans(change: Change, now: number): readonly Span[] {
	return [[`${timeText(change.at, now)} `, 'faint'], ...whatChanged(change)];
}

function whatChanged(change: Change): readonly Span[] {
	switch (change.type) {
		case 'statusChanged':
			return statusChangeSpans(change);
		case 'operationMoved':
			return [[operationText(change), change.to === 'failed' ? 'bad' : undefined]];
		case 'toppedUp':
			return [[`credits topped up by ${(change.to - change.from).toFixed(2)}`]];
		case 'released':
			return [[`version ${change.to} is out`, 'accent']];
	}
}

function statusChangeSpans({ id, name, from, to, lasted, reason }: StatusChange): readonly Span[] {
	const who = name ?? id;
	if (to === null) return [[`${who} is gone`]];
	if (from === null) return [[`${who} is new: ${wordOf(to)}`]];
	const time = lasted === undefined ? '' : ` ${inOrAfter(from, to)} ${spanText(lasted)}`;
	const why = reason === 'asleep' ? ' (asleep)' : reason === 'credits' ? ' (out of credits)' : '';
	const isBad = phaseOf(to) === 'error';
	return [[`${who}: ${wordOf(from)} → ${wordOf(to)}${time}${why}`, isBad ? 'bad' : undefined]];
}

const transientPhases: readonly Phase[] = [
	'creating',
	'starting',
	'stopping',
	'restarting',
	'updating',
];

/** Only what was on its way got there in that time; anything else had been what it was for so long. */
function inOrAfter(from: string, to: string): 'in' | 'after' {
	return transientPhases.includes(phaseOf(from)) && !transientPhases.includes(phaseOf(to))
		? 'in'
		: 'after';
}

function wordOf(status: string): string {
	const phase = phaseOf(status);
	return phase === 'unknown' ? status : phaseStyles[phase].label.toLowerCase();
}

const pasts = {
	create: 'created',
	start: 'started',
	stop: 'stopped',
	restart: 'restarted',
	update: 'updated',
	delete: 'deleted',
	publish: 'published',
	unpublish: 'unpublished',
} as const;

function operationText({ wish, to, message }: OperationMove): string {
	const what = targetOf(wish);
	const why = message ? `: ${message}` : '';
	switch (to) {
		case 'settled':
			return `you ${pasts[wish.operation]} ${what}`;
		case 'failed':
			return `could not ${wish.operation} ${what}${why}`;
		case 'cancelled':
			return `you called off: ${wish.operation} ${what}`;
		case 'unknown':
			return `${wish.operation} ${what}: outcome unknown${why}`;
		case 'sent':
			return `you options to ${wish.operation} ${what}`;
	}
}

/** "atlas", or "port 8080 of atlas" */
export function targetOf({ operation, name, computer, port }: Wish): string {
	const who = name ?? computer ?? 'a computer';
	if (operation !== 'publish' && operation !== 'unpublish') return who;
	return `${port === undefined ? 'a port' : `port ${port}`} of ${who}`;
}
