import type { AccountSettings, ChosenAccounts } from '../../accounts/account-settings.ts';
import { accountKey } from '../../accounts/credentials.ts';
import {
	type Change,
	changeFilterMistake,
	computerIdOf,
	endedWhileItRanText,
	mergeChanges,
	type OwnEmails,
	unendedOperations,
} from '../../fleet/change.ts';
import { computerIn, type LogEntry, latestOf, logEntries } from '../../fleet/log-entries.ts';
import { CommandError, exitCodes, stateFileErrorText, UsageError } from '../../foundation/error.ts';
import { jsonText } from '../../foundation/json.ts';
import { changeIn, readLines } from '../../journal/log-files.ts';
import type { Line } from '../../lines/line.ts';
import { timeText } from '../../lines/time-text.ts';
import { accountsForWords, type ComputerWord } from '../../script/choose-computers.ts';
import { sayAgeOfSharedData, stateOfLeader, withFleets } from '../../script/fleet.ts';
import type { ParsedArgs } from '../../script/parsed-args.ts';
import { printed, printerFor } from '../../script/print.ts';
import { accountCells, labelAmong, readAccounts } from '../../script/read-accounts.ts';
import { createNotify } from '../../script/stderr.ts';
import type { Host } from '../../session/host.ts';
import { loadSettingsOfAll } from '../../session/settings.ts';
import { logPath, machineIdOf, openElection } from '../../session/state-folder.ts';
import { changesMatching } from '../../views/log.ts';
import { entrySpans } from '../../views/phrases/entry.ts';
import { changeFields, changeRecord, withAccount } from '../../views/records.ts';
import type { Command } from '../command.ts';
import {
	asciiOption,
	demoOption,
	freshOption,
	jsonOption,
	severalAccountsOptions,
} from '../options.ts';

const defaultLimit = 100;

export const log: Command = {
	name: 'log',
	isTool: true,
	summary: 'show the changes that crowsnest recorded on this host, newest first',
	argumentUsage: '[ID…]',
	options: [
		{
			name: 'filter',
			valueName: 'WORDS',
			help: 'only lines with all these words, as in the view: -WORD excludes, who:you kind:stop since:8h on:tue',
		},
		{ name: 'all', help: 'print each change, instead of one line per operation and per batch' },
		{ name: 'since', valueName: 'TIME', help: 'only changes of the last 90s, 30m, 2h, 7d or 2w' },
		{ name: 'limit', valueName: 'N', help: `at most N lines (${defaultLimit})` },
		asciiOption,
		...severalAccountsOptions,
		demoOption,
		{ ...freshOption, help: 'read the computers first, even if a running monitor does' },
		jsonOption,
	],
	examples: [
		'crowsnest log --since 2h',
		'crowsnest log atlas',
		"crowsnest log --filter 'atlas -asleep' --limit 20 --json",
	],
	json: { form: 'array', fields: changeFields, formForSeveral: 'array' },
	async run(host, args) {
		const { program, clock } = host;
		const now = clock.now();
		const earliestTime = now - (args.duration('since') ?? Number.POSITIVE_INFINITY);
		const limit = args.wholeNumber('limit', 1, 1_000_000) ?? defaultLimit;
		const notify = createNotify(program, args.flag('json'));
		const filter = args.text('filter') ?? '';
		const mistake = changeFilterMistake(filter);
		if (mistake) throw new UsageError(`--filter: ${mistake.problem}`);
		const settings = loadSettingsOfAll(host, args);
		const { accounts, words } = accountsForWords(host, args, args.positionals, settings);
		const seen = args.flag('fresh') ? await readNow(host, args, accounts) : undefined;
		if (!seen) await sayHowOld(host, accounts, notify);
		const logLines = readLog(host);
		const machine = machineIdOf(host);
		const recorded = await Promise.all(
			accounts.map(async account => {
				const key = accountKey(account);
				const logged = logLines.flatMap(line => changeIn(line, key, machine) ?? []);
				const changes = mergeChanges(logged, seen?.get(key) ?? []);
				return { account, changes: await withUnknownOutcomes(host, account, changes) };
			}),
		);
		const logged = recorded.flatMap(({ account, changes }) => {
			const about = changesAbout(changes, account, words);
			const matching = changesMatching(about, filter, ownEmailsOf(account), now);
			const isEach = args.flag('all') || args.flag('json');
			const entries = isEach
				? matching.map((change): LogEntry => ({ type: 'change', change })).toReversed()
				: logEntries(matching);
			return entries
				.filter(entry => latestOf(entry).at >= earliestTime)
				.map(entry => ({ account, entry }));
		});
		logged.sort((one, other) => latestOf(other.entry).at - latestOf(one.entry).at);
		const shown = logged.slice(0, limit);
		if (args.flag('json')) {
			const records = shown.map(({ account, entry }) =>
				withAccount(changeRecord(latestOf(entry)), labelAmong(accounts, account)),
			);
			program.stdout.write(jsonText(records));
			return exitCodes.done;
		}
		if (shown.length === 0) {
			const subject = accounts.length > 1 ? 'these accounts' : 'this account';
			notify(
				recorded.some(({ changes }) => changes.length > 0)
					? 'No recorded change matches'
					: `No change of ${subject} is recorded yet`,
			);
		}
		const printer = printerFor(program, args);
		const own = new Set(accounts.flatMap(account => [...ownEmailsOf(account)]));
		const cellOf = accountCells(accounts);
		const times = shown.map(({ entry }) => timeText(latestOf(entry).at, now));
		const timeWidth = Math.max(0, ...times.map(({ length }) => length));
		const lines = shown.map(({ account, entry }, at): Line => {
			const start = `${cellOf(account)}${times[at]?.padEnd(timeWidth)}  `;
			const spans = entrySpans(start, entry, { own, width: printer.width });
			return { spans, margin: 0 };
		});
		program.stdout.write(printed(lines, printer));
		return exitCodes.done;
	},
};

function changesAbout(
	changes: readonly Change[],
	{ name: account }: AccountSettings,
	words: readonly ComputerWord[],
): readonly Change[] {
	if (words.length === 0) return changes;
	const wanted = words
		.filter(word => word.account === undefined || word.account === account)
		.map(({ idOrName }) => idOrName);
	const ids = new Set(wanted);
	for (const change of changes) {
		const { id, name } = computerIn({ type: 'change', change }) ?? {};
		if (id !== undefined && name !== undefined && wanted.includes(name)) ids.add(id);
	}
	return changes.filter(change => ids.has(computerIdOf(change) ?? ''));
}

/** A monitor that runs writes a change to the log only when it sees it. */
async function readNow(
	host: Host,
	args: ParsedArgs,
	accounts: ChosenAccounts,
): Promise<ReadonlyMap<string, readonly Change[]>> {
	const seen = new Map<string, readonly Change[]>();
	await withFleets(host, args, accounts, async fleets => {
		const { code } = await readAccounts(host, args, fleets, async ({ readOrThrow, session }) => {
			const { changes } = await readOrThrow('list');
			const isNews = ({ type }: Change) => type !== 'operationMoved';
			seen.set(session.account, changes.filter(isNews));
		});
		return code;
	});
	return seen;
}

async function sayHowOld(host: Host, accounts: ChosenAccounts, notify: (line: string) => void) {
	for (const account of accounts) {
		const leader = await stateOfLeader(host, accountKey(account));
		const readAt = leader?.reads.list?.answer?.at;
		if (readAt === undefined) continue;
		const name = accounts.length > 1 ? `${account.name}: ` : '';
		sayAgeOfSharedData(notify, host.clock.now() - readAt, name);
	}
}

function ownEmailsOf({ credentials }: AccountSettings): OwnEmails {
	return new Set(credentials.kind === 'password' ? [credentials.email] : []);
}

async function withUnknownOutcomes(
	host: Host,
	account: AccountSettings,
	changes: readonly Change[],
): Promise<readonly Change[]> {
	const election = openElection(host, accountKey(account));
	const unknown: Change[] = [];
	for (const move of unendedOperations(changes)) {
		// Only the machine of a process knows whether it has ended.
		if (move.isElsewhere || move.isAccepted || !(await election?.hasEnded(move.pane ?? '')))
			continue;
		unknown.push({ ...move, to: 'unknown', message: endedWhileItRanText });
	}
	return mergeChanges(changes, unknown);
}

function readLog(host: Host): readonly string[] {
	try {
		return readLines(logPath(host));
	} catch (error) {
		const message = `Cannot read the journal: ${stateFileErrorText(error)}`;
		throw new CommandError('unreadable', message, '');
	}
}
