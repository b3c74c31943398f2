import { join } from 'node:path';
import { createTokenCache } from '../../source/accounts/token-cache.ts';
import { createJournal } from '../../source/journal/journal.ts';
import { documentedLimits } from '../../source/limits/limits.ts';
import { openRequestFiles } from '../../source/limits/request-files.ts';
import { createRequestLog } from '../../source/limits/request-log.ts';
import { createSharedParts, openSession } from '../../source/session/session.ts';
import { createElection } from '../../source/sharing/election.ts';
import { profileOf } from '../opened-account.ts';
import { createFastClock } from './fast-clock.ts';

// One pane of an account, without a screen. It prints what happens to it as lines of JSON.

export type PaneWork = {
	/** The folder of the socket, the the log of requests and the journal. */
	folder: string;
	/** Whether the pane polls for itself, as with `--alone`. */
	isAlone?: boolean;
	baseUrl: string;
	authUrl: string;
	anonKey: string;
	email: string;
	password: string;
};

export type PaneReport =
	| { role: 'leading' | 'following' | 'alone' }
	/** The pane has learned of a list of this many computers. */
	| { size: number }
	/** The pane has sent a request for a list. */
	| { polled: true }
	| { problem: string };

const work = JSON.parse(process.argv[2] ?? '') as PaneWork;
const { folder, isAlone = false, password, baseUrl, authUrl, anonKey, email } = work;
const account = { kind: 'password' as const, authUrl, email };
const clock = createFastClock();
const msSinceBoot = clock.now;
const { pid } = process;
const id = String(pid);
const election = createElection({
	id,
	clock,
	paths: () => ({
		leader: join(folder, 'watch.sock'),
		process: each => join(folder, `process-${each}.sock`),
	}),
});
const report = (line: PaneReport) => process.stdout.write(`${JSON.stringify(line)}\n`);
const onProblem = (problem: string) => report({ problem });

const host = { clock, msSinceBoot, random: Math.random };
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
			msSinceBoot,
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
		election,
		sharing: isAlone ? undefined : { hasScreen: true },
	},
	createSharedParts(host, {}),
);
const { store, recorder } = session;
const journal = createJournal({
	directory: join(folder, 'log'),
	account: 'test',
	clock,
	process: id,
	isRecorder: recorder.isRecorder,
	onProblem: ({ message }) => onProblem(message),
});
store.receive(journal.recallFleet());
store.onFact(journal.onFact);
recorder.onBecoming(journal.takeOver);

store.onFact(fact => {
	if (fact.type === 'watchShared') {
		if (fact.leader !== undefined) report({ role: 'following' });
		else report({ role: fact.followers === undefined ? 'alone' : 'leading' });
	}
	if (fact.type === 'listRead') report({ size: fact.computers.length });
});
process.once('SIGTERM', async () => {
	await session.close(journal.close);
	process.exit(0);
});
session.watch.start();
