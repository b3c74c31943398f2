import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import type { LimitsByScope } from '../../source/limits/limits.ts';
import type { Work } from './worker.ts';

const place = mkdtempSync(join(tmpdir(), 'limits-'));
const bundle = join(place, 'worker.mjs');
const directory = join(place, 'state');
const clockPath = join(place, 'clock');
afterAll(() => rmSync(place, { recursive: true, force: true }));

const speed = { windowMs: 500, marginMs: 20, maxTransitMs: 1_000 };
const limits: LimitsByScope = {
	create: { maxRequests: 1, reservedShare: 0, ...speed },
	status: { maxRequests: 12, reservedShare: 0, ...speed },
	other: { maxRequests: 10, reservedShare: 1 / 5, ...speed },
};

const [processes, kills] = [3, 3];
const counted = ['status', 'other'] as const;
const stepMs = 20;

/** A clock in a file, so that all processes read the same time. */
function createSharedClock() {
	let now = 1_000_000;
	function move(milliseconds: number) {
		now += milliseconds;
		// A process that reads at this moment finds the old time or the new one.
		writeFileSync(`${clockPath}.next`, String(now));
		renameSync(`${clockPath}.next`, clockPath);
	}
	move(0);
	return { now: () => now, move };
}

/**
 * Records when each request was sent by the shared clock, and answers it after a few steps of that clock. The
 * clock moves only when every process has noticed the last step. So no process falls behind by more than one
 * step between taking a slot and sending its request, however busy the machine is.
 */
async function createService(onRequest: () => void, isOver: () => boolean, end: () => void) {
	const clock = createSharedClock();
	const sentAt: Record<string, number[]> = { status: [], other: [] };
	const readySockets = new Set<Socket>();
	let answers: { stepsLeft: number; send: () => void }[] = [];

	function moveWhenAllAreReady() {
		if (isOver()) return end();
		if (readySockets.size < processes) return;
		clock.move(stepMs);
		const sockets = [...readySockets];
		readySockets.clear();
		for (const answer of answers) answer.stepsLeft -= 1;
		for (const { send } of answers.filter(({ stepsLeft }) => stepsLeft < 0)) send();
		answers = answers.filter(({ stepsLeft }) => stepsLeft >= 0);
		for (const socket of sockets) socket.write('step\n');
	}

	const serve = (socket: Socket) => {
		let unfinished = '';
		socket.on('error', () => undefined);
		socket.on('close', () => readySockets.delete(socket));
		socket.on('data', data => {
			const lines = (unfinished + data).split('\n');
			unfinished = lines.pop() ?? '';
			for (const line of lines) {
				const [scope = '', , time] = line.split(' ');
				if (line === 'ready') readySockets.add(socket);
				else {
					sentAt[scope]?.push(Number(time));
					const stepsLeft = Math.floor(Math.random() * 3);
					answers.push({ stepsLeft, send: () => socket.write(`${line}\n`) });
					onRequest();
				}
			}
			moveWhenAllAreReady();
		});
	};
	const server = createServer(serve);
	await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
	const address = server.address();
	if (typeof address !== 'object' || !address) throw new Error('Not listening');
	return { clock, sentAt, port: address.port, close: () => server.close() };
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
	const isEnough = () =>
		deaths.bySignal >= kills &&
		counted.every(scope => (service.sentAt[scope]?.length ?? 0) > 2 * limits[scope].maxRequests);

	function killOne() {
		const all = [...living];
		all[Math.floor(Math.random() * all.length)]?.kill('SIGKILL');
	}
	const killAll = () => {
		for (const child of living) child.kill('SIGKILL');
	};
	// A process is killed after a number of requests, not after a time in which it may have sent none.
	const service = await createService(
		() => {
			if (!isEnough() && Math.random() < 1 / 8) killOne();
		},
		isEnough,
		killAll,
	);

	await new Promise<void>(allEnded => {
		function start() {
			// Every other process dies at some call to the disk; the rest are killed from outside.
			const fuse = Math.random() < 0.5 ? Math.ceil(Math.random() * 300) : Number.MAX_SAFE_INTEGER;
			const work: Work = { directory, clockPath, port: service.port, limits, fuse };
			const child = spawn(process.execPath, [bundle, JSON.stringify(work)], { stdio: 'inherit' });
			living.add(child);
			child.once('exit', (_, signal) => {
				living.delete(child);
				deaths[signal === 'SIGKILL' ? 'bySignal' : 'otherwise']++;
				if (isEnough()) killAll();
				else start();
				if (living.size === 0) allEnded();
			});
		}
		for (let count = 0; count < processes; count++) start();
	});
	expect(deaths.otherwise).toBe(0);

	const lines = readdirSync(directory).flatMap(name =>
		readFileSync(join(directory, name), 'utf8').split('\n'),
	);
	const freed = new Set(
		lines.filter(line => line.startsWith('free ')).map(line => line.split(' ')[1]),
	);
	for (const scope of counted) {
		const sentAt = (service.sentAt[scope] ?? []).sort((one, other) => one - other);
		const { maxRequests: limit, windowMs: window } = limits[scope];
		const closest = sentAt.slice(limit).map((at, index) => at - (sentAt[index] ?? 0));
		expect(Math.min(...closest), `${scope}: time for ${limit} requests`).toBeGreaterThanOrEqual(
			window,
		);
		// For every taken slot a request was sent, unless the process was killed between the two.
		const takes = lines.filter(line => {
			const [word, id, takenScope] = line.split(' ');
			return word === 'take' && takenScope === scope && !freed.has(id);
		});
		const unsent = takes.length - sentAt.length;
		expect(unsent).toBeGreaterThanOrEqual(0);
		expect(unsent).toBeLessThanOrEqual(deaths.bySignal * (scope === 'other' ? 2 : 1));
	}
	service.close();
});
