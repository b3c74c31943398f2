import type { OperationId } from '../fleet/fact.ts';
import type { Details } from '../operations/rule.ts';
import { type Given, UsageError } from './command.ts';
import { computersNamed, filterOf } from './list-choice.ts';
import { type Fleet, readStatuses } from './list-fleet.ts';

/** What the options of an operation say. */
export type Wanted = {
	operation: OperationId;
	choose: (fleet: Fleet, now: number) => Promise<readonly string[]>;
	/** Some of those that match may well not take it. */
	isByFilter: boolean;
	details: Details;
	isWaiting: boolean;
	/** Seconds. */
	timeout: number | undefined;
	isJson: boolean;
};

/** Whatever is wrong with them is said before anything is asked. */
export function wantedFrom(given: Given, operation: OperationId): Wanted {
	const filter = given.text('filter');
	const port = given.whole('port', 1, 65_535);
	const [name, provider] = [given.text('name'), given.text('provider')];
	return {
		operation,
		choose: chooserFrom(given.rest, filter, operation),
		isByFilter: filter !== undefined,
		details: {
			...(port !== undefined && { port }),
			...(name && { name }),
			...(provider && { provider }),
		},
		isWaiting: given.flag('wait'),
		timeout: given.whole('timeout', 1, 86_400),
		isJson: given.flag('json'),
	};
}

function chooserFrom(
	words: readonly string[],
	filter: string | undefined,
	operation: OperationId,
): Wanted['choose'] {
	if (operation === 'create') return async () => [];
	if (words.length > 0 === (filter !== undefined)) {
		throw new UsageError(`${operation} takes IDs or names, or --filter in their place`);
	}
	if (filter === undefined) {
		return async fleet => {
			const computers = computersNamed(fleet.known(), words);
			await readStatuses(fleet, computers);
			return computers.map(({ id }) => id);
		};
	}
	if (filter.trim() === '') throw new UsageError('--filter is empty: it would mean all of them');
	const matching = filterOf(filter);
	return async (fleet, now) => {
		await readStatuses(fleet, [...fleet.known().computers.values()]);
		return matching(fleet.known(), now).map(({ id }) => id);
	};
}
