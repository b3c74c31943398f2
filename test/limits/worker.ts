import nodeFiles from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { createLimiter } from '../../source/limits/limiter.ts';
import type { LimitsByScope, Scope } from '../../source/limits/limits.ts';
import { openRequestFiles, type RequestFiles } from '../../source/limits/request-files.ts';
import { createRequestLog } from '../../source/limits/request-log.ts';

export type Work = {
	directory: string;
	/** The file with the present time in milliseconds. */
	clockPath: string;
	port: number;
	limits: LimitsByScope;
	/** How many calls to the disk this process makes before it dies. */
	fuse: number;
};

/**
 * Runs one of many processes that share the limits. Each sends requests as fast as they allow, by the clock
 * that the test moves.
 */
function work({ directory, clockPath, port, limits, fuse }: Work) {
	const now = () => Number(nodeFiles.readFileSync(clockPath, 'utf8'));
	let timers: { due: number; call: () => void }[] = [];
	const after = (milliseconds: number, call: () => void) => {
		const timer = { due: now() + milliseconds, call };
		timers.push(timer);
		return () => {
			timers = timers.filter(each => each !== timer);
		};
	};
	function runDueTimers() {
		const due = timers.filter(timer => timer.due <= now());
		timers = timers.filter(timer => !due.includes(timer));
		for (const { call } of due) call();
	}
	const { random } = Math;
	const log = createRequestLog({
		limits,
		name: 'requests-1',
		hostId: 'a',
		msSinceBoot: now,
		wallClockNow: now,
		files: fusedFiles(directory, fuse),
	});
	const limiter = createLimiter({ clock: { now, monotonic: now, after }, random, log, limits });
	const { signal } = new AbortController();
	const answers = new Map<string, () => void>();
	let hasBegun = false;
	const socket = createConnection(port, '127.0.0.1', () => socket.write('ready\n'));
	// The connection closes when the test has ended.
	socket.on('error', () => undefined).on('close', () => process.exit());
	let unfinished = '';
	socket.on('data', data => {
		const lines = (unfinished + data).split('\n');
		unfinished = lines.pop() ?? '';
		for (const line of lines) {
			if (line === 'step') step();
			else answers.get(line)?.();
		}
	});

	function step() {
		if (!hasBegun) for (const scope of ['status', 'other', 'other'] as const) void spend(scope);
		hasBegun = true;
		runDueTimers();
		socket.write('ready\n');
	}

	let sent = 0;
	async function spend(scope: Scope) {
		for (;;) {
			const priority = sent % 3 ? 'read' : 'operation';
			const slot = await limiter.acquire(scope, { priority, signal });
			const request = `${scope} ${++sent} ${now()}`;
			await new Promise<void>(resolve => {
				answers.set(request, resolve);
				socket.write(`${request}\n`);
			});
			answers.delete(request);
			slot.reportResponse({ status: 200, headers: new Headers() });
		}
	}
}

/** Kills this process at one of its accesses to the disk. A write is killed when a part of it is written. */
function fusedFiles(directory: string, fuse: number): RequestFiles {
	const files = openRequestFiles(directory);
	let calls = 0;
	const die = () => process.kill(process.pid, 'SIGKILL');
	const burn =
		<A extends unknown[], R>(call: (...args: A) => R) =>
		(...args: A): R => {
			calls += 1;
			if (calls >= fuse) die();
			return call(...args);
		};
	return {
		names: burn(files.names),
		read: burn(files.read),
		remove: burn(files.remove),
		append(name, text, isSynced) {
			calls += 1;
			if (calls >= fuse) {
				const part = text.slice(0, Math.random() * text.length);
				nodeFiles.appendFileSync(join(directory, name), part);
				die();
			}
			return files.append(name, text, isSynced);
		},
	};
}

work(JSON.parse(process.argv[2] ?? ''));
