import { expect, test } from 'vitest';
import { maxListAgeMs } from '../../source/script/leader-answers.ts';
import { printListOfLeader } from '../../source/script/list-of-leader.ts';
import { printedListFrom } from '../../source/script/printed-list.ts';
import type { Host } from '../../source/session/host.ts';
import { openBesideMonitor } from '../cli/commands/beside-monitor.ts';

/** Runs `list` as the quick program does, and returns its output; undefined if the whole program has to run. */
async function quickList(host: Host, words: readonly string[]) {
	const written = { out: '', err: '' };
	const to = (name: 'out' | 'err') => ({
		write: (text: string) => {
			written[name] += text;
		},
		on: () => {},
		isTTY: false,
	});
	const program = { ...host.program, stdout: to('out'), stderr: to('err') };
	const quickHost = { ...host, program: program as unknown as Host['program'] };
	return (await printListOfLeader(quickHost, words)) ? written : undefined;
}

test.each([
	'',
	'--json',
	'--ascii',
	'--columns version,name,ports',
	'--sort version:desc --limit 2',
	'--filter status:stopped',
	'--filter name:a --json --sort cpu:desc',
	'--by status',
	'--by account',
])('for `list %s`, a monitor prints the same list as the command itself', async line => {
	const { host, run, until, session, account, requestsOfCommands } = await openBesideMonitor();
	// The monitor also reads the details of the computer that is being created.
	const computers = () => [
		...(session?.store.getState().accounts.get(account)?.computers.values() ?? []),
	];
	await until(() => computers().some(({ reading }) => reading.stageProgress !== undefined));
	const words = line.split(' ').filter(Boolean);
	const quick = await quickList(host, words);
	const { code, out, err } = await run('list', ...words);
	expect(code).toBe(0);
	expect(quick).toEqual({ out, err });
	expect(out.length).toBeGreaterThan(20);
	expect(requestsOfCommands()).toBe(0);
});

test.each([
	['has a mistake', '--sort mood'],
	['names a column that does not exist', '--columns mood'],
	['names a status that no computer has', '--filter status:mood'],
	['counts and prints JSON', '--by status --json'],
	['has an option that does not exist', '--mood'],
	['has an argument', 'atlas'],
	['limits the time to nothing', '--timeout 0'],
	['asks the platform', '--fresh'],
	['shows what only the journal knows', '--columns cpu-history'],
])('the whole program lists the computers when the command line %s', async (_, line) => {
	const { host } = await openBesideMonitor();
	expect(await quickList(host, line.split(' '))).toBeUndefined();
});

test('the whole program lists the computers when no monitor runs', async () => {
	const { host } = await openBesideMonitor({ isMonitorOpen: false });
	expect(await quickList(host, [])).toBeUndefined();
});

test('a monitor does not print a list that is old or that lacks a status', async () => {
	const { session, account } = await openBesideMonitor();
	const state = session?.store.getState().accounts.get(account);
	if (!session || !state) throw new Error('no monitor');
	const question = { words: [], account: { name: 'a', shortName: 'a' }, hasUnicode: true };
	const source = {
		state,
		profile: session.profile,
		publicAddress: () => '',
		nextTurn: async () => {},
	};
	const readAt = state.reads.list?.answer?.at ?? 0;
	expect((await printedListFrom(question, { ...source, now: readAt }))?.readAt).toBe(readAt);
	const later = { ...source, now: readAt + maxListAgeMs + 1 };
	expect(await printedListFrom(question, later)).toBeUndefined();
	const computers = new Map(
		[...state.computers].map(([id, each]) => {
			const { status: _, ...reading } = each.reading;
			return [id, { ...each, reading }] as const;
		}),
	);
	const withoutStatus = { ...source, state: { ...state, computers }, now: readAt };
	expect(await printedListFrom(question, withoutStatus)).toBeUndefined();
});

test('a monitor prints a long list in many turns, so that keys do not wait for it', async () => {
	const { session, account } = await openBesideMonitor();
	const state = session?.store.getState().accounts.get(account);
	const [[id, computer] = []] = state?.computers ?? [];
	if (!session || !state || !id || !computer) throw new Error('no monitor');
	const copies = Array.from({ length: 1_000 }, (_, at) => [`${id}-${at}`, computer] as const);
	let turns = 0;
	const source = {
		state: { ...state, computers: new Map(copies) },
		profile: session.profile,
		publicAddress: () => '',
		now: state.reads.list?.answer?.at ?? 0,
		nextTurn: async () => {
			turns += 1;
		},
	};
	for (const words of [[], ['--json']]) {
		turns = 0;
		const question = { words, account: { name: 'a', shortName: 'a' }, hasUnicode: true };
		await printedListFrom(question, source);
		expect(turns).toBeGreaterThanOrEqual(5);
	}
});
