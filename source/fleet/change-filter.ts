import { termFilterFrom } from '../foundation/term-filter.ts';
import type { Change } from './change.ts';
import { phaseOf } from './computers/computer.ts';

/** The words by which `kind:failure` and the key for failures find a change. */
const failure = 'failure';

/** Shows only what went wrong: failed operations, unknown outcomes and computers in error. */
export const failuresTerm = `kind:${failure}`;

const fields: Readonly<Record<string, (change: Change) => readonly string[]>> = {
	who: change =>
		change.type === 'operationMoved' ? ['you', change.who ?? ''] : [causedByYou(change)],
	kind: kindsOf,
};

// The reason of a stop says whether a person of this account asked for it.
function causedByYou(change: Change): string {
	return change.type === 'statusChanged' && change.reason === 'asked' ? 'you' : 'platform';
}

function kindsOf(change: Change): readonly string[] {
	switch (change.type) {
		case 'statusChanged': {
			const hasFailed = change.to !== null && phaseOf(change.to) === 'error';
			const special = change.from === null ? ['new'] : change.to === null ? ['gone'] : [];
			return ['status', ...special, ...(hasFailed ? [failure] : [])];
		}
		case 'operationMoved': {
			const hasFailed = change.to === 'failed' || change.to === 'unknown';
			const { operation } = change.wish;
			return ['operation', operation, change.to, ...(hasFailed ? [failure] : [])];
		}
		case 'toppedUp':
			return ['credits'];
		case 'released':
			return ['release'];
	}
}

/** Parses the filter of the log, such as `atlas who:you kind:stop -kind:failure`. */
export const changeFilterFrom = (text: string, textOf: (change: Change) => string) =>
	termFilterFrom(text, { textOf, fields });

/** Returns the problem with a filter of the log; undefined for a valid filter. */
export const changeFilterProblem = (text: string) => changeFilterFrom(text, () => '').problem;

/** Returns the filter with the term at its end, or without it if it has the term. */
export function toggledTerm(filter: string, term: string): string {
	const terms = filter.split(/\s+/).filter(each => each !== '');
	const others = terms.filter(each => each !== term);
	return (others.length < terms.length ? others : [...terms, term]).join(' ');
}
