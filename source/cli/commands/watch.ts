import { UsageError } from '../../foundation/error.ts';
import { type ComputerFilter, filterFromOption } from '../../script/choose-computers.ts';
import { type Fleet, sayAgeOfSharedData, withFleets } from '../../script/fleet.ts';
import { keepMetricsFile, problemOfWriting } from '../../script/metrics-file.ts';
import { openHooks } from '../../script/open-hooks.ts';
import { accountCells, readAccounts } from '../../script/read-accounts.ts';
import { createNotify, errorFromFailure } from '../../script/stderr.ts';
import { changeLine, createChangeReporter } from '../../script/watch-changes.ts';
import { followLog } from '../../session/follow-log.ts';
import type { Host } from '../../session/host.ts';
import type { AccountSession } from '../../session/session.ts';
import { loadSettings, requireAccounts } from '../../session/settings.ts';
import type { AccountState } from '../../store/state.ts';
import { cleanForTerminal } from '../../terminal/features/escape-sequences.ts';
import { troubleSentences } from '../../views/phrases/reads.ts';
import { type ChangeRecord, changeFields, withAccount } from '../../views/records.ts';
import type { Command } from '../command.ts';
import {
	demoOption,
	filterOption,
	freshOption,
	jsonOption,
	severalAccountsOptions,
} from '../options.ts';

export const watch: Command = {
	name: 'watch',
	summary: 'print one line per change until interrupted',
	description:
		'While a monitor runs, it prints what the monitor reads, and polls only after the monitor ends. Otherwise it\n' +
		'polls, and monitors that are opened later get their data from it.\n' +
		'Prints changes of status and stage, computers that appear or are removed, operations of other\n' +
		'runs on this host, top-ups, new versions, and when an account is down or up again.\n' +
		'With --textfile, it also keeps a file with metrics for Prometheus up to date, which node_exporter\n' +
		'can serve. No request is sent for it: the file has what the watch reads anyway.',
	options: [
		filterOption,
		...severalAccountsOptions,
		{
			name: 'textfile',
			valueName: 'FILE',
			help: 'keep this file up to date with metrics in the text format of Prometheus',
		},
		{ ...freshOption, help: 'poll the platform even if a running monitor does' },
		demoOption,
		jsonOption,
	],
	examples: [
		'crowsnest watch | tee -a fleet.log',
		'crowsnest watch --json | jq -c \'select(.to == "error")\'',
		'crowsnest watch --textfile /var/lib/node_exporter/crowsnest.prom',
	],
	json: { form: 'lines', fields: changeFields, formForSeveral: 'lines' },
	run(host, args) {
		const path = args.text('textfile');
		const problem = path === undefined ? undefined : problemOfWriting(path, '');
		if (problem !== undefined) throw new UsageError(`--textfile: cannot write ${path}: ${problem}`);
		const text = args.text('filter');
		const filter = text === undefined ? undefined : filterFromOption(text);
		const settings = loadSettings(host, args);
		return withFleets(
			host,
			args,
			requireAccounts(host, settings),
			async (fleets, write) => {
				const notify = createNotify(host.program, args.flag('json'));
				const profiles = fleets.map(({ session }) => session.profile);
				const cannotWrite = (reason: string) => notify(`Cannot write ${path}: ${reason}`);
				const closeTextfile =
					path === undefined
						? () => {}
						: keepMetricsFile(path, host.clock, fleets[0].session.store, profiles, cannotWrite);
				const hooks =
					settings.kind === 'accounts' ? await openHooks(host, settings.hooks, notify) : undefined;
				for (const { session } of fleets) hooks?.attach(session);
				const cellOf = accountCells(fleets);
				const printerOf = (fleet: Fleet) => (record: ChangeRecord) => {
					const line = args.flag('json')
						? JSON.stringify(withAccount(record, fleet.label))
						: cleanForTerminal(cellOf(fleet) + changeLine(record));
					if (!fleet.signal.aborted) write(`${line}\n`);
				};
				const watchOne = (fleet: Fleet) => watchAccount(host, fleet, filter, printerOf(fleet));
				try {
					return (await readAccounts(host, args, fleets, watchOne)).code;
				} finally {
					closeTextfile();
					await hooks?.close();
				}
			},
			{ sharesWatch: !args.flag('fresh') },
		);
	},
};

async function watchAccount(
	host: Host,
	fleet: Fleet,
	filter: ComputerFilter | undefined,
	print: (record: ChangeRecord) => void,
): Promise<void> {
	const { session, noteWait, waitFor } = fleet;
	const now = host.clock.now;
	const matches = ({ id }: ChangeRecord, states: readonly AccountState[]) => {
		if (!filter || typeof id !== 'string') return true;
		const computers = states.flatMap(state => state.computers.get(id) ?? []);
		return computers.some(computer => filter.test(computer, now()));
	};
	const reportChanges = createChangeReporter(session.account, now(), (record, before, after) => {
		if (matches(record, [before, after])) print(record);
	});
	const stopPrinting = session.store.onFact(reportChanges);
	session.limiter.subscribe(() => {
		for (const { frozenUntil } of Object.values(session.limiter.slots()))
			noteWait(frozenUntil ?? 0);
	});
	followLog(host, session);
	const stopResigning = resignBeforeSuspension(host, session);
	try {
		await startWatching(fleet, now);
		await waitFor(() => undefined);
	} finally {
		stopResigning();
		stopPrinting();
	}
}

/** During Ctrl-Z, another process can lead. */
function resignBeforeSuspension({ program }: Host, { sharedWatch }: AccountSession): () => void {
	if (!sharedWatch) return () => {};

	function suspend() {
		sharedWatch?.resign();
		// With a listener, the signal would not stop the process.
		program.off('SIGTSTP', suspend);
		program.kill(program.pid, 'SIGTSTP');
	}

	function resume() {
		program.off('SIGTSTP', suspend);
		program.on('SIGTSTP', suspend);
	}

	program.on('SIGTSTP', suspend);
	program.on('SIGCONT', resume);
	return () => {
		program.off('SIGTSTP', suspend);
		program.off('SIGCONT', resume);
	};
}

// Only a failed sign-in ends the watch of an account.
async function startWatching(
	{ startWatch: start, waitFor, notify, accountNow }: Fleet,
	now: () => number,
) {
	start();
	const listRead = await waitFor(({ reads }) =>
		reads.list?.answer || reads.list?.failing ? reads.list : undefined,
	);
	const streak = listRead?.failing;
	const { failure } = streak ?? {};
	if (failure?.kind === 'auth') throw errorFromFailure('Cannot watch the fleet', failure);
	if (streak) notify(troubleSentences({ read: 'list', streak }));
	else notify('Watching; Ctrl-C ends');
	const { leader } = accountNow().sharedWatch ?? {};
	const readAt = listRead?.answer?.at;
	if (leader !== undefined && readAt !== undefined) sayAgeOfSharedData(notify, now() - readAt);
}
