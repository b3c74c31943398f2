import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { createDiskLedger } from '../../source/pace/disk-ledger.ts';
import type { LimitsByScope } from '../../source/pace/limits.ts';
import type { Work } from './worker.ts';

const place = mkdtempSync(join(tmpdir(), 'pace-'));
const bundle = join(place, 'worker.mjs');
const directory = join(place, 'state');
afterAll(() => rmSync(place, { recursive: true, force: true }));

const speed = { windowMs: 500, marginMs: 20, maxTransitMs: 1_000 };
const limits: LimitsByScope = {
	create: { maxRequests: 1, reservedShare: 0, ...speed },
	status: { maxRequests: 20, reservedShare: 0, ...speed },
	other: { maxRequests: 15, reservedShare: 1 / 5, ...speed },
};

const [processes, kills] = [4, 6];
const counted = ['status', 'other'] as const;

type Sent = { at: number; isStalled: boolean };

const now = () => Number(process.hrtime.bigint()) / 1e6;

/**
 * Records when each request was sent, and responds to it. The sender reports the time, by the clock that all
 * processes share: on a busy host, requests that were sent in time may arrive together.
 */
async function createService(onRequest: () => void) {
	const sent: Record<string, Sent[]> = { status: [], other: [] };
	const serve = (socket: Socket) => {
		let unfinished = '';
		socket.on('error', () => undefined);
		socket.on('data', data => {
			const requests = (unfinished + data).split('\n');
			unfinished = requests.pop() ?? '';
			for (const request of requests) {
				const [scope = '', , nanoseconds, state] = request.split(' ');
				sent[scope]?.push({ at: Number(nanoseconds) / 1e6, isStalled: state === 'stalled' });
				onRequest();
				setTimeout(() => socket.write(`${request}\n`), Math.random() * 20);
			}
		});
	};
	const server = createServer(serve);
	await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
	const address = server.address();
	if (typeof address !== 'object' || !address) throw new Error('Not listening');
	return { sent, port: address.port, close: () => server.close() };
}

test('several processes keep the limits together, even while processes are killed again and again', async () => {
	buildSync({
		entryPoints: [resolve(import.meta.dirname, 'worker.ts')],
		outfile: bundle,
		bundle: true,
		platform: 'node',
		format: 'esm',
	});
	const living = new Set<ChildProcess>();
	const deaths = { bySignal: 0, otherwise: 0 };
	let isOver = false;

	const isEnough = () =>
		deaths.bySignal >= kills &&
		counted.every(scope => (service.sent[scope]?.length ?? 0) > 3 * limits[scope].maxRequests);

	// A process is killed after a number of requests, because on a busy host it might send none in a fixed time.
	const service = await createService(() => {
		if (isEnough() || Math.random() > 1 / 4) return;
		const all = [...living];
		all[Math.floor(Math.random() * all.length)]?.kill('SIGKILL');
	});

	function start() {
		// Every other process dies at some call to the disk; the rest are killed from outside.
		const fuse = Math.random() < 0.5 ? Math.ceil(Math.random() * 150) : Number.MAX_SAFE_INTEGER;
		const work: Work = { directory, port: service.port, limits, fuse };
		const child = spawn(process.execPath, [bundle, JSON.stringify(work)], { stdio: 'inherit' });
		living.add(child);
		child.once('exit', (_, signal) => {
			living.delete(child);
			deaths[signal === 'SIGKILL' ? 'bySignal' : 'otherwise']++;
			if (!isOver) start();
		});
	}

	for (let count = 0; count < processes; count++) start();
	while (!isEnough()) await sleep(10);
	isOver = true;
	for (const child of living) child.kill('SIGKILL');
	while (living.size > 0) await sleep(10);
	expect(deaths.otherwise).toBe(0);

	let later = 0;
	const ledger = createDiskLedger({
		directory,
		baseName: 'pace-1',
		pid: process.pid,
		random: Math.random,
		msSinceBoot: () => now() + later,
	});
	const book = ledger.refresh();
	for (const scope of counted) {
		const sent = (service.sent[scope] ?? []).sort((one, other) => one.at - other.at);
		const { maxRequests: limit, windowMs: window } = limits[scope];
		const closest = sent.slice(limit).flatMap(({ at }, index) => {
			const together = sent.slice(index, index + limit + 1);
			return together.some(({ isStalled }) => isStalled) ? [] : [at - (sent[index]?.at ?? 0)];
		});
		expect(Math.min(...closest), `${scope}: time for ${limit} requests`).toBeGreaterThanOrEqual(
			window,
		);
		// For every taken slot a request was sent, unless the process was killed between the two.
		const unsent = book[scope].taken - sent.length;
		expect(unsent).toBeGreaterThanOrEqual(0);
		expect(unsent).toBeLessThanOrEqual(deaths.bySignal * (scope === 'other' ? 2 : 1));
		expect(book[scope].fullSince).toBeUndefined();
	}
	later = speed.maxTransitMs + speed.windowMs + speed.marginMs;
	expect(ledger.refresh().status.spends.size + ledger.refresh().other.spends.size).toBe(0);
	ledger.close();
	service.close();
});
