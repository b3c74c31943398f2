import { createMemoryLedger } from '../../source/pace/ledger.ts';
import { openSession } from '../../source/session/session.ts';
import { elect } from '../../source/sharing/election.ts';
import { createFastClock } from './fast-clock.ts';

// One pane of an account, without a screen. It prints its role and each list that it learns of as lines of JSON.

export type PaneWork = {
	path: string;
	baseUrl: string;
	authUrl: string;
	anonKey: string;
	email: string;
	password: string;
};

export type PaneReport =
	| { role: 'leading' | 'following' | 'alone' }
	| { listAt: number; size: number };

const { path, password, baseUrl, ...credentials } = JSON.parse(process.argv[2] ?? '') as PaneWork;
const clock = createFastClock();
const msSinceBoot = clock.now;

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

const session = openSession(
	{ clock, msSinceBoot, random: Math.random },
	{
		account: 'test',
		baseUrl,
		fetch,
		ledger: createMemoryLedger({ msSinceBoot }),
		credentials: { kind: 'password', ...credentials, password: async () => password },
		sharing: {
			pid: process.pid,
			elect: canLead =>
				elect({
					...{ path, clock, canLead, random: Math.random, isRunning },
					holder: { pid: process.pid, hostId: 'host' },
				}),
		},
	},
);

const report = (line: PaneReport) => process.stdout.write(`${JSON.stringify(line)}\n`);

session.store.onFact(fact => {
	if (fact.type === 'watchShared') {
		if (fact.leader !== undefined) report({ role: 'following' });
		else report({ role: fact.followers === undefined ? 'alone' : 'leading' });
	}
	if (fact.type === 'listRead') report({ listAt: fact.at, size: fact.computers.length });
});
process.once('SIGTERM', () => void session.close().then(() => process.exit(0)));
session.watch.start();
