import type { LoadedSettings } from '../../accounts/account-settings.ts';
import type { OperationMove } from '../../fleet/change.ts';
import { UsageError } from '../../foundation/error.ts';
import type { Hooks } from '../../hooks/hooks.ts';
import { followOtherRuns, type OtherRuns } from '../../journal/other-runs.ts';
import {
	createNotify,
	errorFromFailure,
	type ParsedArgs,
	withAccount,
} from '../../script/command.ts';
import { type Fleet, type Fleets, withFleets } from '../../script/fleet.ts';
import { changeFields } from '../../script/json-records.ts';
import { sayAgeOfSharedData } from '../../script/leader-notice.ts';
import { leaveWhileSuspended } from '../../script/leave-while-suspended.ts';
import {
	keepMetricsFile,
	type MetricsFile,
	metricsFileProblem,
} from '../../script/metrics-file.ts';
import { hookedAccount, openHooks } from '../../script/open-hooks.ts';
import { createWaitNotifier } from '../../script/read-account.ts';
import { accountColumn, accountOf, readAccounts } from '../../script/read-accounts.ts';
import { filterFromOption } from '../../script/select-computers.ts';
import {
	createEventReporter,
	eventLine,
	eventRecord,
	type WatchEvent,
} from '../../script/watch-events.ts';
import { followCommands } from '../../session/follow-commands.ts';
import type { Host } from '../../session/host.ts';
import { logPath } from '../../session/open-journal.ts';
import { machineIdOf } from '../../session/processes.ts';
import { loadSettings, requireAccounts } from '../../session/settings.ts';
import type { AccountState } from '../../store/state.ts';
import { cleanForTerminal } from '../../terminal/features/escape-sequences.ts';
import { troubleSentences } from '../../views/phrases/reads.ts';
import type { Command, Option } from '../command.ts';
import {
	demoOption,
	filterOption,
	freshOption,
	jsonOption,
	severalAccountsOptions,
} from '../options.ts';

const textfileOption: Option = {
	name: 'textfile',
	valueName: 'FILE',
	help: 'keep this file up to date with metrics in the text format of Prometheus',
};

export const watch: Command = {
	name: 'watch',
	summary: 'print one line per change until interrupted',
	description:
		'While a monitor runs, it prints what the monitor reads, and polls only after the monitor ends. Otherwise it\n' +
		'polls, and monitors that are opened later get their data from it.\n' +
		'Prints changes of status and stage, computers that appear or are removed, operations of other\n' +
		'runs on this host, top-ups, new versions, and when reading from the platform fails or recovers.\n' +
		'With --textfile, it also keeps a file with metrics for Prometheus up to date, which node_exporter\n' +
		'can serve. No request is sent for it: the file has what the watch reads anyway.',
	options: [
		...[filterOption, ...severalAccountsOptions, textfileOption],
		{ ...freshOption, help: 'poll the platform even if a running monitor does' },
		...[demoOption, jsonOption],
	],
	examples: [
		'crowsnest watch | tee -a fleet.log',
		'crowsnest watch --json | jq -c \'select(.to == "error")\'',
		'crowsnest watch --textfile /var/lib/node_exporter/crowsnest.prom',
	],
	json: { form: 'lines', fields: changeFields, formForSeveral: 'lines' },
	run(host, args) {
		const path = args.text('textfile');
		const problem = path === undefined ? undefined : metricsFileProblem(path);
		if (problem !== undefined) throw new UsageError(`--textfile: ${problem}`);
		let settings: LoadedSettings | undefined;
		// The demo does not call this function, so `settings` stays undefined and no hook runs.
		const chooseAccounts = () => {
			settings = loadSettings(host, args);
			return requireAccounts(host, settings);
		};
		const watchAll = async (fleets: Fleets, write: WatchOutput['write']) => {
			const column = accountColumn(fleets);
			const textfile = textfileOf(host, args, fleets);
			const hooks = await attachHooks(host, args, settings, fleets);
			try {
				return await readAccounts(
					host,
					args,
					fleets,
					fleet =>
						watchAccount(host, args, fleet, { accountCell: column.cellOf(fleet), write, textfile }),
					() => undefined,
				);
			} finally {
				textfile?.close();
				await hooks?.close();
			}
		};
		return withFleets(host, args, chooseAccounts, watchAll, { sharesWatch: !args.flag('fresh') });
	},
};

async function attachHooks(
	host: Host,
	args: ParsedArgs,
	settings: LoadedSettings | undefined,
	fleets: Fleets,
): Promise<Hooks | undefined> {
	if (settings?.kind !== 'accounts') return undefined;
	const [{ preferences }] = settings.accounts;
	const hooks = await openHooks(
		host,
		settings.hooks,
		createNotify(host.program, args.flag('json')),
	);
	for (const { session } of fleets)
		hooks?.attach(hookedAccount(session, preferences.notify.creditsLeft));
	return hooks;
}

function textfileOf(host: Host, args: ParsedArgs, fleets: Fleets): MetricsFile | undefined {
	const path = args.text('textfile');
	if (path === undefined) return undefined;
	const [{ session }] = fleets;
	const notify = createNotify(host.program, args.flag('json'));
	return keepMetricsFile({
		path,
		clock: host.clock,
		store: session.store,
		accounts: fleets.map(({ name, session: { account } }) => ({ account, name })),
		onProblem: reason => notify(`Cannot write ${path}: ${reason}`),
	});
}

type WatchOutput = {
	/** The account at the beginning of each line; empty for a single account. */
	accountCell: string;
	write: (lines: string) => void;
	textfile: MetricsFile | undefined;
};

/** Prints the events of an account until the command is interrupted. Throws if the sign-in fails. */
async function watchAccount(
	host: Host,
	args: ParsedArgs,
	fleet: Fleet,
	{ accountCell, write, textfile }: WatchOutput,
): Promise<never> {
	const { session, signal, notify } = fleet;
	const isJson = args.flag('json');
	const countOperation = (move: OperationMove) => textfile?.countOperation(session.account, move);
	const stopPrinting = printEvents(host, args, fleet, countOperation, event => {
		const record = eventRecord(event);
		const line = isJson
			? JSON.stringify(withAccount(record, accountOf(fleet)))
			: cleanForTerminal(accountCell + eventLine(event));
		if (!signal.aborted) write(`${line}\n`);
	});
	const notifyOfWait = createWaitNotifier(host.clock, notify);
	session.limiter.subscribe(() => {
		for (const { frozenUntil } of Object.values(session.limiter.slots())) {
			notifyOfWait(frozenUntil ?? 0);
		}
	});
	followCommands(host, session);
	const stopLeaving = leaveWhileSuspended(host, session);
	try {
		await startWatching(fleet, host.clock.now);
		return await new Promise<never>((_, reject) => {
			signal.addEventListener('abort', () => reject(signal.reason), { once: true });
			if (signal.aborted) reject(signal.reason);
		});
	} finally {
		stopLeaving();
		stopPrinting();
	}
}

/**
 * Calls `print` with each event of this session, and with each operation of another crowsnest process, that
 * matches --filter.
 */
function printEvents(
	host: Host,
	args: ParsedArgs,
	{ session, accountNow }: Fleet,
	countOperation: (move: OperationMove) => void,
	print: (event: WatchEvent) => void,
): () => void {
	const { clock } = host;
	const { account, store } = session;
	const matches = createEventFilter(args.text('filter'), clock.now);
	const otherRuns = followOtherRuns({
		directory: logPath(host),
		account,
		machine: machineIdOf(host),
		clock,
		onOperationMove(move) {
			countOperation(move);
			if (matches(move, [accountNow()])) print(move);
		},
	});
	let lastPrint: Promise<void> = Promise.resolve();
	store.onFact(
		createEventReporter({
			account,
			changesSince: clock.now(),
			onEvent(event, before, after) {
				// The journal has the operations of all processes, including processes that do not share the watch.
				if (event.type === 'operationMoved') return void otherRuns.checkNow();
				if (!matches(event, [before, after])) return;
				lastPrint = lastPrint.then(async () => print(await withStopReason(event, otherRuns)));
			},
		}),
	);
	return otherRuns.stop;
}

function createEventFilter(filter: string | undefined, now: () => number) {
	const { test } = filterFromOption(filter ?? '');
	return (event: WatchEvent, accounts: readonly AccountState[]): boolean => {
		const id = computerIdOf(event);
		if (filter === undefined || id === undefined) return true;
		const computers = accounts.flatMap(item => item.computers.get(id) ?? []);
		return computers.some(item => test(item, now()));
	};
}

function computerIdOf(event: WatchEvent): string | undefined {
	if (event.type === 'operationMoved') return event.wish.computer;
	return 'id' in event ? event.id : undefined;
}

// If another crowsnest process was asked to stop a computer, only the journal of that process shows this.
async function withStopReason(event: WatchEvent, otherRuns: OtherRuns): Promise<WatchEvent> {
	if (event.type !== 'statusChanged' || !event.reason) return event;
	await otherRuns.checkNow();
	return otherRuns.wasEndedOnPurpose(event.id, event.at) ? { ...event, reason: 'asked' } : event;
}

// Only a failed sign-in ends the watch of an account. Other failed reads are repeated.
async function startWatching(
	{ startWatch: start, waitFor, notify, accountNow }: Fleet,
	now: () => number,
) {
	start();
	const listRead = await waitFor(({ reads }) =>
		reads.list?.answer || reads.list?.failing ? reads.list : undefined,
	);
	const failure = listRead?.failing?.failure;
	if (failure?.kind === 'auth') throw errorFromFailure('Cannot watch the fleet', failure);
	if (failure) notify(troubleSentences({ read: 'list', failure }));
	else notify('Watching; Ctrl-C ends');
	const { leader } = accountNow().sharedWatch ?? {};
	const readAt = listRead?.answer?.at;
	if (leader !== undefined && readAt !== undefined) sayAgeOfSharedData(notify, now() - readAt);
}
