import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import { createHooks } from '../../source/journal/hooks.ts';
import { followLog } from '../../source/session/follow-log.ts';
import type { Host } from '../../source/session/host.ts';
import { createSharedParts, openConfigured } from '../../source/session/session.ts';
import { loadSettings, requireAccount } from '../../source/session/settings.ts';
import { logPath } from '../../source/session/state-folder.ts';
import { createFastClock } from './fast-clock.ts';

// One pane of the account of the environment, without a screen. It prints what happens to it as lines of JSON, and stops
// each computer whose id it reads.

export type PaneReport =
	| { role: 'leading' | 'following' | 'alone' }
	/** The pane has learned of a list. */
	| { listed: true }
	/** The pane has sent a request for a list. */
	| { polled: true }
	| { failure: string };

const clock = createFastClock();
const report = (line: PaneReport) => process.stdout.write(`${JSON.stringify(line)}\n`);
const onProblem = (failure: string) => report({ failure });
const home = process.env['CROWSNEST_STATE_DIR'] ?? '';
const host = {
	program: process,
	clock,
	msSinceBoot: clock.now,
	bootIdentity: () => ['host'],
	processId: String(process.pid),
	home,
	random: Math.random,
	fetch(url, init) {
		if (String(url).endsWith('/sandbox')) report({ polled: true });
		return fetch(url, init);
	},
	spawn,
	version: '0.0.0',
} as Host;
const account = requireAccount(host, loadSettings(host, { list: () => [], flag: () => false }));
const session = await openConfigured(
	host,
	account,
	createSharedParts(host, { skipsCountdown: true }),
	{
		onProblem,
		sharesWatch: true,
	},
);
followLog(host, session);
const hooks = createHooks({
	hooks: [
		{
			id: 'all',
			on: ['computerFailed', 'operationEnded'],
			command: ['sh', '-c', 'cat >> "$0"', join(home, 'hooks')],
			cooldownMs: 0,
			timeoutMs: 600_000,
			maxRunning: 4,
		},
	],
	directory: logPath(host),
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
	const asked = operations.ask('stop', [globalIdOf(session.account, computer)]);
	if (asked.type !== 'question') return;
	operations.answer({ ...asked.question, answers: asked.question.steps.map(() => 'y') });
});
session.watch.start();
