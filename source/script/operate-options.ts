import type { OperationId } from '../fleet/fact.ts';
import { commandNameOf } from '../operations/command-text.ts';
import { operations } from '../operations/operations.ts';
import type { Details } from '../operations/rule.ts';
import { portFrom } from '../operations/steps.ts';
import { type Given, UsageError } from '../shell/command.ts';
import { readForFilter, readNames, readStatuses } from './complete-readings.ts';
import type { Fleet } from './fleet.ts';
import { computersNamed, filterOf } from './select-computers.ts';

/** What the options of an operation say. */
export type Wanted = {
	operation: OperationId;
	choose: (fleet: Fleet, now: number) => Promise<readonly string[]>;
	/** Some of those that match may well not take it. */
	isByFilter: boolean;
	details: Details;
	isWaiting: boolean;
};

/** Whatever is wrong with them, or missing where nobody can be asked, is said before anything is asked. */
export function wantedFrom(given: Given, operation: OperationId, canAsk: boolean): Wanted {
	const filter = given.text('filter');
	const { words, port } = wordsAndPort(given, operation, filter !== undefined);
	const [name, provider] = [given.text('name'), given.text('provider')];
	const choose = chooserFrom(words, filter, operation);
	const isSure = given.flag('yes');
	if (operation === 'publish' && port === undefined && (isSure || !canAsk)) {
		throw new UsageError('publish needs a PORT');
	}
	// A profile may leave out the question of start, and of nothing else.
	if (!isSure && !canAsk && operation !== 'start') throw new UsageError(unansweredText(operation));
	return {
		operation,
		choose,
		isByFilter: filter !== undefined,
		details: {
			...(port !== undefined && { port }),
			...(name && { name }),
			...(provider && { provider }),
		},
		isWaiting: given.flag('wait'),
	};
}

export function unansweredText(operation: OperationId): string {
	return `${operations[operation].label} asks first, and nobody is there to answer: add --yes`;
}

// `publish atlas 8080`: the last word is the port, unless --port tells it or there is only one word.
function wordsAndPort(given: Given, operation: OperationId, isByFilter: boolean) {
	const port = given.whole('port', 1, 65_535);
	const { rest } = given;
	const last = rest.at(-1);
	const isAboutPort = operation === 'publish' || operation === 'unpublish';
	const isInWords = isAboutPort && port === undefined && rest.length > (isByFilter ? 0 : 1);
	if (!isInWords || last === undefined || !/^\d+$/.test(last)) return { words: rest, port };
	if (portFrom(last) === undefined) throw new UsageError('PORT is a number from 1 to 65535');
	return { words: rest.slice(0, -1), port: portFrom(last) };
}

function chooserFrom(
	words: readonly string[],
	filter: string | undefined,
	operation: OperationId,
): Wanted['choose'] {
	if (operation === 'create') {
		if (words.length === 0) return async () => [];
		throw new UsageError(`${words[0]} is one word too many: a name goes behind --name`);
	}
	if (words.length > 0 === (filter !== undefined)) {
		const name = commandNameOf(operation);
		throw new UsageError(`${name} takes IDs or names, or --filter in their place`);
	}
	if (filter === undefined) {
		return async fleet => {
			await readNames(fleet, words);
			const computers = computersNamed(fleet.known(), words);
			await readStatuses(fleet, computers);
			return computers.map(({ id }) => id);
		};
	}
	if (filter.trim() === '') throw new UsageError('--filter is empty: it would mean all of them');
	const { reads, choose } = filterOf(filter);
	return async (fleet, now) => {
		await readForFilter(fleet, reads);
		return choose(fleet.known(), now).map(({ id }) => id);
	};
}
