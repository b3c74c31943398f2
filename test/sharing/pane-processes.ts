import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { onTestFinished } from 'vitest';
import type { Simulator } from '../../source/simulator/simulator.ts';
import type { PaneReport, PaneWork } from './worker.ts';

/** A pane in a process of its own, which can be killed and stopped. */
export type PaneProcess = {
	child: ChildProcess;
	role: 'joining' | 'leading' | 'following' | 'alone' | 'ended';
	/** How many lists the pane has learned of. */
	lists: number;
	/** When the pane learned of the last list, or started. */
	newsAt: number;
	/** When the pane itself asked the platform for a list. */
	polledAt: number[];
	isStopped: boolean;
	/** Why its last list was not read. */
	failure: string;
};

/** Prepares a folder in which panes of one account share a socket, a log of requests and a journal. */
export function preparePanes({ baseUrl, authUrl, anonKey, email, password }: Simulator) {
	const folder = mkdtempSync(join(tmpdir(), 'sharing-'));
	const bundle = join(folder, 'worker.mjs');
	const panes = new Set<PaneProcess>();
	mkdirSync(join(folder, 'limits'), { mode: 0o700 });
	onTestFinished(() => {
		for (const { child } of panes) child.kill('SIGKILL');
		rmSync(folder, { recursive: true });
	});
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
		const work: PaneWork = { folder, baseUrl, authUrl, anonKey, email, password };
		const child = spawn(process.execPath, [bundle, JSON.stringify(work)], {
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		const pane: PaneProcess = {
			child,
			role: 'joining',
			lists: 0,
			newsAt: Date.now(),
			polledAt: [],
			isStopped: false,
			failure: '',
		};
		panes.add(pane);
		// A killed pane no longer reads.
		child.stdin.on('error', () => {});
		let unfinished = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			const lines = (unfinished + text).split('\n');
			unfinished = lines.pop() ?? '';
			for (const line of lines) note(pane, JSON.parse(line));
		});
		child.once('exit', () => {
			pane.role = 'ended';
			panes.delete(pane);
		});
		return pane;
	}

	return { folder, socket: join(folder, 'watch.sock'), start };
}

function note(pane: PaneProcess, report: PaneReport) {
	if ('role' in report) pane.role = report.role;
	else if ('polled' in report) pane.polledAt.push(Date.now());
	else if ('failure' in report) pane.failure = report.failure;
	else {
		pane.lists += 1;
		pane.newsAt = Date.now();
	}
}
