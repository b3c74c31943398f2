import { type FilteredParts, termFilterFrom } from '../foundation/term-filter.ts';
import { type Change, type OwnEmails, personBehind } from './change.ts';
import { phaseOf } from './computers/computer.ts';

/** The words by which `kind:failure` and the key for failures find a change. */
const failure = 'failure';

/** The filter for everything that went wrong: failed operations, unknown outcomes and computers in error. */
export const failuresTerm = `kind:${failure}`;

/** Returns the parts of a change that the filter of the log looks at. */
export const changeFilterParts = (
	own: OwnEmails,
	textOf: (change: Change) => string,
): FilteredParts<Change> => ({
	textOf,
	fields: { who: change => causesOf(change, own), kind: kindsOf, pane: panesOf },
});

/** Returns who caused a change: "you" or an e-mail address, or else the platform. */
function causesOf(change: Change, own: OwnEmails): readonly string[] {
	if (change.type === 'operationMoved')
		return [...new Set([personBehind(change, own), change.who ?? 'you'])];
	// For a stop, the reason says whether a person asked for it.
	return [change.type === 'statusChanged' && change.reason === 'asked' ? 'you' : 'platform'];
}

/** Returns the process that asked for an operation: "you" for this process, or the pid of another process. */
function panesOf(change: Change): readonly (string | number)[] {
	return change.type === 'operationMoved' && !change.isElsewhere ? [change.pane ?? 'you'] : [];
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
		case 'hookFailed':
			return ['hook', failure];
	}
}

/** Parses the filter of the log, such as `atlas who:you kind:stop -kind:failure`. */
export const changeFilterFrom = (
	text: string,
	own: OwnEmails,
	textOf: (change: Change) => string,
) => termFilterFrom(text, changeFilterParts(own, textOf));

/** Returns the mistake in a filter of the log; undefined for a valid filter. */
export const changeFilterMistake = (text: string) =>
	changeFilterFrom(text, new Set(), () => '').mistake;

/** Adds the term at the end of the filter. If the filter has the term already, removes it. */
export function toggledTerm(filter: string, term: string): string {
	const terms = filter.split(/\s+/).filter(each => each !== '');
	const others = terms.filter(each => each !== term);
	return (others.length < terms.length ? others : [...terms, term]).join(' ');
}
