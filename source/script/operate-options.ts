import type { OperationId } from '../fleet/operations/operation.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { portFrom } from '../operations/question.ts';
import type { ParsedArgs } from '../shell/command.ts';
import { UsageError } from '../shell/errors.ts';
import { readForFilter, readNames, readStatuses } from './complete-readings.ts';
import type { Fleet } from './fleet.ts';
import { computersNamed, filterFromOption } from './select-computers.ts';

/** The checked options of a command such as `stop` or `publish`. */
export type OperateOptions = {
	operation: OperationId;
	selectIds: (fleet: Fleet, now: number) => Promise<readonly string[]>;
	/**
	 * Whether --filter selects the computers. A filter may match computers to which the operation does not
	 * apply, and these are skipped.
	 */
	isSelectedByFilter: boolean;
	details: OperationDetails;
	/**
	 * Whether --wait is set: the command ends when the operation is finished, and not already when the
	 * platform has accepted the operation.
	 */
	waitsForEnd: boolean;
};

/**
 * Checks the command's options before any request is sent. Throws for a wrong option, and for a missing
 * option if there is no terminal to ask on.
 */
export function operateOptionsFrom(
	args: ParsedArgs,
	operation: OperationId,
	canAsk: boolean,
): OperateOptions {
	const filter = args.text('filter');
	const { words, port } = wordsAndPort(args, operation, filter !== undefined);
	const [name, provider] = [args.text('name'), args.text('provider')];
	const select = idSelectorFrom(words, filter, operation);
	const isSure = args.flag('yes');
	const { goal, commandName, isQuestionOptional } = operationRowOf(operation);
	if (goal.reaches === 'published' && port === undefined && (isSure || !canAsk)) {
		throw new UsageError(`${commandName} needs a port: add --port`);
	}
	// The configuration can switch off an optional question, so such an operation continues without --yes.
	if (!isSure && !canAsk && !isQuestionOptional)
		throw new UsageError(confirmationNeededText(operation));
	return {
		operation,
		selectIds: select,
		isSelectedByFilter: filter !== undefined,
		details: { port, name: name || undefined, provider: provider || undefined },
		waitsForEnd: args.flag('wait'),
	};
}

export function confirmationNeededText(operation: OperationId): string {
	return `${operationRowOf(operation).label} needs a confirmation and there is no terminal to ask on: add --yes`;
}

// Splits the arguments of `publish atlas 8080` into names and a port. With --port, or with a single
// argument, all arguments are names.
function wordsAndPort(args: ParsedArgs, operation: OperationId, isByFilter: boolean) {
	const port = args.wholeNumber('port', 1, 65_535);
	const { positionals } = args;
	const last = positionals.at(-1);
	const takesPort = operationRowOf(operation).subject === 'port';
	const isInWords = takesPort && port === undefined && positionals.length > (isByFilter ? 0 : 1);
	if (!isInWords || last === undefined || !/^\d+$/.test(last)) return { words: positionals, port };
	if (portFrom(last) === undefined)
		throw new UsageError('The port must be a number from 1 to 65535');
	return { words: positionals.slice(0, -1), port: portFrom(last) };
}

function idSelectorFrom(
	words: readonly string[],
	filter: string | undefined,
	operation: OperationId,
): OperateOptions['selectIds'] {
	const { commandName, subject } = operationRowOf(operation);
	if (subject === 'account') {
		if (words.length === 0) return async () => [];
		throw new UsageError(
			`${commandName} takes no arguments, but got ${words[0]}. Use --name for a name`,
		);
	}
	if (words.length > 0 === (filter !== undefined)) {
		throw new UsageError(`${commandName} takes either ids and names, or --filter`);
	}
	if (filter === undefined) {
		return async fleet => {
			await readNames(fleet, words);
			const computers = computersNamed(fleet.accountNow(), words);
			await readStatuses(fleet, computers);
			return computers.map(({ id }) => id);
		};
	}
	if (filter.trim() === '')
		throw new UsageError('--filter is empty and would match every computer');
	const { requiredFields, refuseUnknownStatus, select } = filterFromOption(filter);
	return async (fleet, now) => {
		await readForFilter(fleet, requiredFields);
		refuseUnknownStatus([fleet.accountNow()]);
		return select(fleet.accountNow(), now).map(({ id }) => id);
	};
}
