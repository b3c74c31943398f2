import type { ChosenAccounts } from '../accounts/account-settings.ts';
import { type GlobalId, globalIdOf } from '../fleet/computers/global-id.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { UsageError } from '../foundation/error.ts';
import { portFrom } from '../operations/question-wording.ts';
import type { Host } from '../session/host.ts';
import { loadSettings, requireAccount } from '../session/settings.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { ParsedArgs } from './command.ts';
import { readFilterFields, readReasons, readStatuses } from './complete-readings.ts';
import {
	accountsForWords,
	type ComputerWord,
	computersOfWords,
	type NamedComputers,
} from './computer-words.ts';
import type { Fleets } from './fleet.ts';
import { filterFromOption } from './select-computers.ts';

/** The checked options of a command such as `stop` or `publish`. */
export type OperateOptions = {
	operation: OperationId;
	/** Returns the accounts to open. Throws if a command with a filter, or a create, would have several accounts. */
	chooseAccounts: (host: Host) => ChosenAccounts;
	selectIds: (fleets: Fleets, now: number) => Promise<readonly GlobalId[]>;
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
	const selection = selectionFrom(args, words, filter, operation);
	const isSure = args.flag('yes');
	const { goal, commandName, mayBeUnasked } = operationRowOf(operation);
	if (goal.reaches === 'published' && port === undefined && (isSure || !canAsk)) {
		throw new UsageError(`${commandName} needs a port: add --port`);
	}
	// The configuration can switch off an optional question, so such an operation continues without --yes.
	if (!isSure && !canAsk && !mayBeUnasked) throw new UsageError(confirmationNeededText(operation));
	return {
		operation,
		...selection,
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

type Selection = Pick<OperateOptions, 'chooseAccounts' | 'selectIds'>;

function selectionFrom(
	args: ParsedArgs,
	words: readonly string[],
	filter: string | undefined,
	operation: OperationId,
): Selection {
	const { commandName, subject } = operationRowOf(operation);
	const chooseAccounts = (host: Host): ChosenAccounts => [
		requireAccount(host, loadSettings(host, args)),
	];
	if (subject === 'account') {
		if (words.length === 0) return { chooseAccounts, selectIds: async () => [] };
		throw new UsageError(
			`${commandName} takes no arguments, but got ${words[0]}. Use --name for a name`,
		);
	}
	if (words.length > 0 === (filter !== undefined)) {
		throw new UsageError(`${commandName} takes either ids and names, or --filter`);
	}
	if (filter === undefined) return selectionOfWords(args, words);
	if (filter.trim() === '')
		throw new UsageError('--filter is empty and would match every computer');
	const { requiredFields, needsReasons, refuseUnknownStatus, select } = filterFromOption(filter);
	return {
		chooseAccounts,
		async selectIds([fleet], now) {
			await fleet.readOrThrow('list');
			await readFilterFields(fleet, requiredFields);
			if (needsReasons) await readReasons(fleet, [...fleet.accountNow().computers.values()]);
			refuseUnknownStatus([fleet.accountNow()]);
			return globalIdsOf({ fleet, computers: select(fleet.accountNow(), now) });
		},
	};
}

function selectionOfWords(args: ParsedArgs, texts: readonly string[]): Selection {
	let words: readonly ComputerWord[] = [];
	return {
		chooseAccounts(host) {
			const chosen = accountsForWords(host, args, texts);
			words = chosen.words;
			return chosen.accounts;
		},
		async selectIds(fleets) {
			const named = await computersOfWords(fleets, words);
			if (named.length > 1 && words.some(({ account }) => account === undefined))
				throw new UsageError(severalAccountsText(named));
			await Promise.all(named.map(({ fleet, computers }) => readStatuses(fleet, computers)));
			return named.flatMap(globalIdsOf);
		},
	};
}

function globalIdsOf({ fleet, computers }: NamedComputers): readonly GlobalId[] {
	return computers.map(({ id }) => globalIdOf(fleet.session.account, id));
}

function severalAccountsText(named: readonly NamedComputers[]): string {
	const words = named.flatMap(({ fleet, computers }) =>
		computers.map(({ id, reading }) => `${fleet.name}/${reading.name || id}`),
	);
	return cleanForTerminal(
		`These computers are in several accounts. Write the account in front of each: ${words.join(' ')}`,
	);
}
