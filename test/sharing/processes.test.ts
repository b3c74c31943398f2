import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { createFastClock } from './fast-clock.ts';
import type { PaneReport, PaneWork } from './worker.ts';

// Only real processes can be killed and stopped.

const folder = mkdtempSync(join(tmpdir(), 'sharing-'));
const bundle = join(folder, 'worker.mjs');
const path = join(folder, 'watch.sock');
const children = new Set<ChildProcess>();
afterAll(() => {
	for (const child of children) child.kill('SIGKILL');
	rmSync(folder, { recursive: true });
});

type PaneProcess = { child: ChildProcess; role: string; lists: number };

function startPane(work: PaneWork): PaneProcess {
	const child = spawn(process.execPath, [bundle, JSON.stringify(work)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	children.add(child);
	const pane: PaneProcess = { child, role: 'joining', lists: 0 };
	let unfinished = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		const lines = (unfinished + text).split('\n');
		unfinished = lines.pop() ?? '';
		for (const line of lines) {
			const report = JSON.parse(line) as PaneReport;
			if ('role' in report) pane.role = report.role;
			else pane.lists += 1;
		}
	});
	child.once('exit', () => {
		pane.role = 'ended';
		children.delete(child);
	});
	return pane;
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 50_000 });

test('one of several processes polls, another takes over when the leader is killed or ends, and a follower polls for itself while the leader is stopped', async () => {
	buildSync({
		entryPoints: [resolve(import.meta.dirname, 'worker.ts')],
		...{ outfile: bundle, bundle: true, platform: 'node', format: 'esm' },
		banner: {
			js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
		},
	});
	const simulator = await createSimulator({ clock: createFastClock(), computers: 3 });
	onTestFinished(simulator.close);
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	const work = { path, baseUrl, authUrl, anonKey, email, password };
	// A lock of a process that no longer runs, from an earlier boot.
	writeFileSync(`${path}.lock`, '{"pid":1,"hostId":"an earlier boot"}');
	const panes = [startPane(work), startPane(work), startPane(work)];
	const inRole = (role: string) => panes.filter(pane => pane.role === role);
	await until(() => inRole('leading').length === 1 && inRole('following').length === 2);
	await until(() => panes.every(({ lists }) => lists > 0));

	inRole('leading')[0]?.child.kill('SIGKILL');
	await until(() => inRole('leading').length === 1 && inRole('following').length === 1);
	const [leader] = inRole('leading');
	const [follower] = inRole('following');
	if (!leader || !follower) throw new Error('a pane is missing');

	// A stopped leader stays the leader, and the follower polls for itself meanwhile.
	leader.child.kill('SIGSTOP');
	const listsBefore = follower.lists;
	await until(() => follower.lists > listsBefore);
	expect(follower.role).toBe('following');
	leader.child.kill('SIGCONT');

	leader.child.kill('SIGTERM');
	await until(() => leader.role === 'ended');
	const listsAlone = follower.lists;
	await until(() => follower.lists > listsAlone);
	const lists = simulator.requests.filter(({ path: url }) => url.endsWith('/sandbox'));
	expect(lists.every(({ status }) => status === 200)).toBe(true);
});
