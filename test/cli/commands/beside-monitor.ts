import { onTestFinished } from 'vitest';
import { accountKey } from '../../../source/accounts/credentials.ts';
import { openSession } from '../../../source/session/session.ts';
import { watchSharing } from '../../../source/session/watch-sharing.ts';
import { createOperateHost, startSimulator } from '../host.ts';

const turn = () => new Promise(setImmediate);

/** Opens a session that polls the account of the commands, as a monitor on the same machine does. */
export async function openBesideMonitor() {
	const simulator = await startSimulator({ computers: 4 });
	const test = createOperateHost(simulator);
	let requests = 0;
	Object.assign(test.host, {
		bootIdentity: () => ['machine', 'boot'],
		fetch(...request: Parameters<typeof fetch>) {
			requests += 1;
			return fetch(...request);
		},
	});
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	const account = accountKey({ baseUrl, user: email });
	const sharing = watchSharing(test.host, account);
	if (!sharing) throw new Error('no sharing');
	const session = openSession(test.host, {
		...{ account, baseUrl, fetch, sharing },
		credentials: { kind: 'password', authUrl, anonKey, email, password: async () => password },
	});
	onTestFinished(session.close);
	session.watch.start();
	const accountNow = () => session.store.getState().accounts.get(account);
	for (let turns = 0; !accountNow()?.credits || !accountNow()?.reads.list; turns += 1) {
		if (turns > 100_000) throw new Error('the monitor read nothing');
		if (turns % 200 === 0) simulator.clock.move(10);
		await turn();
	}
	return { ...test, simulator, requestsOfCommands: () => requests };
}
