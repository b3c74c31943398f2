import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createTokenCache } from '../../source/accounts/token-cache.ts';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import { createHooks } from '../../source/journal/hooks.ts';
import { documentedLimits } from '../../source/limits/limits.ts';
import { openRequestFiles } from '../../source/limits/request-files.ts';
import { createRequestLog } from '../../source/limits/request-log.ts';
import { followLog } from '../../source/session/follow-log.ts';
import type { Host } from '../../source/session/host.ts';
import { createSharedParts, openSession } from '../../source/session/session.ts';
import { createElection } from '../../source/sharing/election.ts';
import { profileOf } from '../opened-account.ts';
import { createFastClock } from './fast-clock.ts';

// One pane of an account, without a screen. It prints what happens to it as lines of JSON, and stops each computer whose id
// it reads.

export type PaneWork = {
	/** The folder of the socket, the log of requests, the journal and what the hooks were told. */
	folder: string;
	baseUrl: string;
	authUrl: string;
	anonKey: string;
	email: string;
	password: string;
};

export type PaneReport =
	| { role: 'leading' | 'following' | 'alone' }
	/** The pane has learned of a list. */
	| { listed: true }
	/** The pane has sent a request for a list. */
	| { polled: true }
	| { failure: string };

const work = JSON.parse(process.argv[2] ?? '') as PaneWork;
const { folder, password, baseUrl, authUrl, anonKey, email } = work;
const account = { kind: 'password' as const, authUrl, email };
const clock = createFastClock();
const id = String(process.pid);
const directory = join(folder, 'log');
const report = (line: PaneReport) => process.stdout.write(`${JSON.stringify(line)}\n`);
const onProblem = (failure: string) => report({ failure });
const host = { clock, msSinceBoot: clock.now, random: Math.random };
const session = openSession(
	host,
	{
		profile: profileOf('test'),
		baseUrl,
		fetch(url, init) {
			if (String(url).endsWith('/sandbox')) report({ polled: true });
			return fetch(url, init);
		},
		requestLog: createRequestLog({
			name: 'requests-test',
			limits: documentedLimits,
			hostId: 'host',
			files: openRequestFiles(join(folder, 'limits')),
			wallClockNow: clock.now,
			msSinceBoot: clock.now,
			onProblem,
		}),
		tokenCache: createTokenCache(
			{
				baseUrl,
				tokenPath: join(folder, 'token', 'token.json'),
				credentials: { ...account, anonKey: () => anonKey, passwordTimeout: 0 },
			},
			onProblem,
		),
		credentials: { ...account, anonKey, password: async () => password },
		election: createElection({ id, stateFolder: folder, account: 'test', hostId: 'host' }),
		sharing: { hasScreen: true },
		keeping: { directory, process: id, onProblem },
	},
	createSharedParts(host, { skipsGrace: true }),
);
const program = { env: { CROWSNEST_STATE_DIR: folder } };
followLog({ ...host, home: folder, processId: id, program } as unknown as Host, session);
const hooks = createHooks({
	hooks: [
		{
			id: 'all',
			on: ['computerFailed', 'operationEnded'],
			command: ['sh', '-c', 'cat >> "$0"', join(folder, 'hooks')],
			cooldownMs: 0,
			timeoutMs: 600_000,
			maxRunning: 4,
		},
	],
	directory,
	clock,
	environment: process.env,
	spawn,
	kill: (child, signal) => process.kill(child, signal),
	onProblem,
});
hooks.attach(session);

session.store.onFact(fact => {
	if (fact.type === 'watchShared') {
		if (fact.leader !== undefined) report({ role: 'following' });
		else report({ role: fact.followers === undefined ? 'alone' : 'leading' });
	}
	if (fact.type === 'readFailed' && fact.read === 'list') report({ failure: fact.failure.message });
	if (fact.type === 'listRead') report({ listed: true });
});
process.once('SIGTERM', async () => {
	await session.close();
	await hooks.close();
	process.exit(0);
});
createInterface({ input: process.stdin }).on('line', computer => {
	const { operations } = session;
	const asked = operations.ask('stop', [globalIdOf('test', computer)]);
	if (asked.type !== 'question') return;
	operations.answer({ ...asked.question, answers: asked.question.steps.map(() => 'y') });
});
session.watch.start();
