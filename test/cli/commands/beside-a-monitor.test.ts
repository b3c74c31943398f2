import { expect, onTestFinished, test } from 'vitest';
import { accountKey } from '../../../source/accounts/credentials.ts';
import { journalPlace, openElection } from '../../../source/session/state-folder.ts';
import { openOnlySession } from '../../open-session.ts';
import { profileOf } from '../../opened-account.ts';
import { bootIdentity, createOperateHost, startSimulator } from '../host.ts';

/** Creates a host, and a function that opens a session of its account, as a monitor on the same machine does. */
async function createHost() {
	const simulator = await startSimulator({ computers: 4 });
	const test = createOperateHost(simulator);
	const { fetch: fetchOfCommands } = test.host;
	let requests = 0;
	Object.assign(test.host, {
		bootIdentity,
		fetch(...request: Parameters<typeof fetchOfCommands>) {
			requests += 1;
			return fetchOfCommands(...request);
		},
	});
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	const account = accountKey({ baseUrl, user: email });

	function openMonitor() {
		const host = { ...test.host, processId: 'monitor' };
		const session = openOnlySession(host, {
			profile: profileOf(account),
			baseUrl,
			fetch: fetchOfCommands,
			election: openElection(host, account),
			sharesWatch: true,
			keeping: { ...journalPlace(host), onProblem: expect.unreachable },
			credentials: { kind: 'password', authUrl, anonKey, email, password: async () => password },
		});
		onTestFinished(session.close);
		session.watch.start();
		return session;
	}
	return { ...test, account, simulator, openMonitor, requestsOfCommands: () => requests };
}

async function openBesideMonitor() {
	const host = await createHost();
	const session = host.openMonitor();
	const accountNow = () => session.store.getState().accounts.get(host.account);
	await host.until(() => Boolean(accountNow()?.credits && accountNow()?.reads.list));
	return { ...host, session, accountNow };
}

test('list, show and credits get their data from a monitor that polls the account, without a request of their own; --fresh and a change ask the platform', async () => {
	const { run, requestsOfCommands, simulator } = await openBesideMonitor();
	const list = await run('list', '--json');
	expect(list.err, 'the data is new').toBe('');
	expect(JSON.parse(list.out)).toHaveLength(4);
	expect((await run('credits')).out).toMatch(/^Credits +\d/);
	expect(requestsOfCommands()).toBe(0);
	const isList = ({ method, path }: (typeof simulator.requests)[number]) =>
		method === 'GET' && path.endsWith('/sandbox');
	const before = simulator.requests.filter(isList).length;
	expect((await run('list', '--fresh')).err).toBe('');
	expect(await run('stop', 'atlas', '--yes')).toMatchObject({ code: 0 });
	expect(simulator.requests.filter(isList)).toHaveLength(before + 2);
});

test('when the last read of the monitor failed, list and show try it themselves, and then say how old the data is', async () => {
	const { run, until, accountNow, simulator } = await openBesideMonitor();
	simulator.setFaults([{ target: '*', kind: 'reset' }]);
	await until(() => accountNow()?.reads.list?.failing !== undefined);
	for (const words of [['list'], ['show', 'atlas']]) {
		const { code, out, err } = await run(...words);
		expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('atlas') });
		expect(err).toMatch(/^crowsnest: Cannot read .*\n(.*\n)?What is printed was read \d+ s ago\n$/);
	}
	// Only the monitor fails to read: the command reads for itself, and says nothing of it.
	simulator.setFaults([]);
	expect(await run('list')).toMatchObject({ code: 0, err: '' });
});

test('with alone = true in the configuration, a command asks the platform and says nothing of the monitor', async () => {
	const { run, requestsOfCommands, configure } = await openBesideMonitor();
	configure('alone = true\n');
	expect(await run('list')).toMatchObject({ code: 0, err: '' });
	expect(requestsOfCommands()).toBeGreaterThan(0);
});

test('log sends nothing beside a monitor, and reads the computers with --fresh', async () => {
	const { run, simulator, requestsOfCommands } = await openBesideMonitor();
	expect((await run('list', '--fresh')).code).toBe(0);
	const before = requestsOfCommands();
	// By then, the monitor has kept the fleet for the first time.
	simulator.clock.move(100);
	simulator.world.add({ name: 'nova' });
	const beside = await run('log', '--json');
	expect(beside.err).toBe('');
	expect(requestsOfCommands()).toBe(before);
	const fresh = await run('log', '--fresh');
	expect(fresh).toMatchObject({ code: 0, err: '' });
	expect(fresh.out).toContain('nova is new: active');
	expect(requestsOfCommands()).toBeGreaterThan(before);
});

test('watch follows a monitor without a request, polls when the monitor ends, and with --fresh polls at once', async () => {
	const { run, see, signal, simulator, session, requestsOfCommands } = await openBesideMonitor();
	const ran = run('watch');
	await see('Watching');
	simulator.world.fail('borealis');
	await see('borealis: ');
	expect(requestsOfCommands()).toBe(0);
	await session.close();
	simulator.world.add({ name: 'nova' });
	await see('nova is new: active');
	expect(requestsOfCommands()).toBeGreaterThan(0);
	signal('SIGINT');
	expect((await ran).code).toBe(130);
	const before = requestsOfCommands();
	const fresh = run('watch', '--fresh');
	await see('Watching');
	expect(requestsOfCommands()).toBeGreaterThan(before);
	signal('SIGINT');
	expect((await fresh).err).not.toContain('monitor');
});

test('a pane that is opened beside watch follows it, and polls while watch is suspended', async () => {
	const { run, see, until, signal, account, openMonitor } = await createHost();
	const ran = run('watch');
	await see('Watching');
	const { store } = openMonitor();
	const leader = () => store.getState().accounts.get(account)?.sharedWatch?.leader;
	await until(() => leader() !== undefined);
	signal('SIGTSTP');
	await until(() => leader() === undefined);
	signal('SIGCONT');
	signal('SIGINT');
	expect((await ran).code).toBe(130);
});
