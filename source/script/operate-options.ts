import type { OperationId } from '../fleet/operation.ts';
import { commandNameOf } from '../operations/command-text.ts';
import type { Details } from '../operations/operation-row.ts';
import { operationTable } from '../operations/operation-table.ts';
import { portFrom } from '../operations/question.ts';
import type { ParsedArgs } from '../shell/command.ts';
import { UsageError } from '../shell/errors.ts';
import { readForFilter, readNames, readStatuses } from './complete-readings.ts';
import type { Fleet } from './fleet.ts';
import { computersNamed, filterFromOption } from './select-computers.ts';

/** What the options of an operation say. */
export type OperateOptions = {
	operation: OperationId;
	select: (fleet: Fleet, now: number) => Promise<readonly string[]>;
	/** Some of those that match may well not take it. */
	isByFilter: boolean;
	details: Details;
	waits: boolean;
};

/** Whatever is wrong with them, or missing where nobody can be asked, is said before anything is asked. */
export function operateOptionsFrom(
	args: ParsedArgs,
	operation: OperationId,
	canAsk: boolean,
): OperateOptions {
	const filter = args.text('filter');
	const { words, port } = wordsAndPort(args, operation, filter !== undefined);
	const [name, provider] = [args.text('name'), args.text('provider')];
	const choose = selectionFrom(words, filter, operation);
	const isSure = args.flag('yes');
	if (operation === 'publish' && port === undefined && (isSure || !canAsk)) {
		throw new UsageError('publish needs a PORT');
	}
	// A profile may leave out the question of start, and of nothing else.
	if (!isSure && !canAsk && operation !== 'start') throw new UsageError(unansweredText(operation));
	return {
		operation,
		select: choose,
		isByFilter: filter !== undefined,
		details: {
			...(port !== undefined && { port }),
			...(name && { name }),
			...(provider && { provider }),
		},
		waits: args.flag('wait'),
	};
}

export function unansweredText(operation: OperationId): string {
	return `${operationTable[operation].label} asks first, and nobody is there to answer: add --yes`;
}

// `publish atlas 8080`: the last word is the port, unless --port tells it or there is only one word.
function wordsAndPort(args: ParsedArgs, operation: OperationId, isByFilter: boolean) {
	const port = args.whole('port', 1, 65_535);
	const { rest } = args;
	const last = rest.at(-1);
	const isAboutPort = operation === 'publish' || operation === 'unpublish';
	const isInWords = isAboutPort && port === undefined && rest.length > (isByFilter ? 0 : 1);
	if (!isInWords || last === undefined || !/^\d+$/.test(last)) return { words: rest, port };
	if (portFrom(last) === undefined) throw new UsageError('PORT is a number from 1 to 65535');
	return { words: rest.slice(0, -1), port: portFrom(last) };
}

function selectionFrom(
	words: readonly string[],
	filter: string | undefined,
	operation: OperationId,
): OperateOptions['select'] {
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
			const computers = computersNamed(fleet.current(), words);
			await readStatuses(fleet, computers);
			return computers.map(({ id }) => id);
		};
	}
	if (filter.trim() === '') throw new UsageError('--filter is empty: it would mean all of them');
	const { fields: reads, select: choose } = filterFromOption(filter);
	return async (fleet, now) => {
		await readForFilter(fleet, reads);
		return choose(fleet.current(), now).map(({ id }) => id);
	};
}
