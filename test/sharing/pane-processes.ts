import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { onTestFinished } from 'vitest';
import { accountKey } from '../../source/accounts/credentials.ts';
import { bootId } from '../../source/session/state-folder.ts';
import { createElection } from '../../source/sharing/election.ts';
import type { Simulator } from '../../source/simulator/simulator.ts';
import { temporaryFolder } from '../journal/state-directory.ts';
import type { PaneReport } from './worker.ts';

/** A pane in a process of its own, which can be killed and stopped. */
export type PaneProcess = {
	child: ChildProcess;
	role: 'joining' | 'leading' | 'following' | 'alone' | 'ended';
	/** How many lists the pane has learned of. */
	lists: number;
	/** When the pane itself asked the platform for a list. */
	polledAt: number[];
	isStopped: boolean;
	/** Why its last list was not read. */
	failure: string;
};

/** Prepares a folder in which panes of one account share a socket, a log of requests and a journal. */
export function preparePanes({ baseUrl, authUrl, anonKey, email, password }: Simulator) {
	const folder = temporaryFolder();
	const account = accountKey({ baseUrl, user: email });
	const env = {
		...process.env,
		CROWSNEST_STATE_DIR: folder,
		CROWSNEST_CONFIG_DIR: join(folder, 'config'),
		CROWSNEST_URL: baseUrl,
		CROWSNEST_AUTH_URL: authUrl,
		CROWSNEST_ANON_KEY: anonKey,
		CROWSNEST_EMAIL: email,
		CROWSNEST_PASSWORD: password,
	};
	const bundle = join(folder, 'worker.mjs');
	buildSync({
		entryPoints: [resolve(import.meta.dirname, 'worker.ts')],
		outfile: bundle,
		bundle: true,
		platform: 'node',
		format: 'esm',
		banner: {
			js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
		},
	});

	function start(): PaneProcess {
		const child = spawn(process.execPath, [bundle], {
			env,
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		onTestFinished(() => void child.kill('SIGKILL'));
		const pane: PaneProcess = {
			child,
			role: 'joining',
			lists: 0,
			polledAt: [],
			isStopped: false,
			failure: '',
		};
		// A killed pane no longer reads.
		child.stdin.on('error', () => {});
		createInterface({ input: child.stdout }).on('line', line => {
			const report: PaneReport = JSON.parse(line);
			if ('role' in report) pane.role = report.role;
			else if ('failure' in report) pane.failure = report.failure;
			else if ('polled' in report) pane.polledAt.push(Date.now());
			else pane.lists += 1;
		});
		child.once('exit', () => {
			pane.role = 'ended';
		});
		return pane;
	}

	const owner = { stateFolder: folder, account, hostId: bootId({ bootIdentity: () => ['host'] }) };
	const { leaderPath } = createElection({ id: 'test', ...owner });
	return { folder, account, leaderPath, start };
}
