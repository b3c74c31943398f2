import { expect, onTestFinished } from 'vitest';
import { accountKey } from '../../../source/accounts/credentials.ts';
import { journalPlace, openElection } from '../../../source/session/state-folder.ts';
import { openOnlySession } from '../../open-session.ts';
import { profileOf } from '../../opened-account.ts';
import { bootIdentity, createOperateHost, startSimulator } from '../host.ts';

const turn = () => new Promise(setImmediate);

/**
 * Opens a session that polls the account of the commands, as a monitor on the same machine does. Without
 * `isMonitorOpen`, the session opens only when the test calls `open`.
 */
export async function openBesideMonitor({ isMonitorOpen = true } = {}) {
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
			sharing: { hasScreen: true },
			keeping: { ...journalPlace(host), onProblem: expect.unreachable },
			credentials: { kind: 'password', authUrl, anonKey, email, password: async () => password },
		});
		onTestFinished(session.close);
		session.watch.start();
		return session;
	}

	const session = isMonitorOpen ? openMonitor() : undefined;
	const accountNow = () => session?.store.getState().accounts.get(account);
	for (let turns = 0; session && !(accountNow()?.credits && accountNow()?.reads.list); turns += 1) {
		if (turns > 100_000) throw new Error('the monitor read nothing');
		if (turns % 200 === 0) simulator.clock.move(10);
		await turn();
	}
	return { ...test, account, simulator, openMonitor, session, requestsOfCommands: () => requests };
}
