import nodeFiles from 'node:fs';
import { createConnection } from 'node:net';
import { createDiskLedger } from '../../source/pace/disk-ledger.ts';
import type { LedgerFs } from '../../source/pace/ledger-rotation.ts';
import type { LimitsByScope, Scope } from '../../source/pace/limits.ts';
import { createPace } from '../../source/pace/pace.ts';

export type Work = {
	directory: string;
	port: number;
	limits: LimitsByScope;
	/** How many calls to the disk this process makes before it dies. */
	fuse: number;
};

/** Runs one of many processes that share a budget. Each sends requests as fast as the budget allows. */
function work({ directory, port, limits, fuse }: Work) {
	/** The time at which this turn of the event loop first read the clock, before it took any slot. */
	let turnAt: number | undefined;
	const elapsed = () => {
		const now = Number(process.hrtime.bigint() / 1_000_000n);
		if (turnAt === undefined) {
			turnAt = now;
			setImmediate(() => {
				turnAt = undefined;
			});
		}
		return now;
	};
	// A slot is taken and its request written within one turn. A host that stops this process in between for
	// longer than a slot is kept makes the request late, which no ledger can prevent.
	const isStalled = () =>
		turnAt !== undefined && elapsed() - turnAt > limits.status.maxTransitMs / 2;
	const ledger = createDiskLedger({
		directory,
		baseName: 'pace-1',
		pid: process.pid,
		random: Math.random,
		msSinceBoot: elapsed,
		files: fusedFiles(fuse),
		maxBytes: 3_000,
	});
	const pace = createPace({
		clock: {
			now: Date.now,
			after(milliseconds, call) {
				const timer = setTimeout(call, milliseconds);
				return () => clearTimeout(timer);
			},
		},
		random: Math.random,
		ledger,
		limits,
	});
	const { signal } = new AbortController();
	const answers = new Map<string, () => void>();
	const socket = createConnection(port, '127.0.0.1', () => {
		for (const scope of ['status', 'other', 'other'] as const) void spend(scope);
	});
	// The connection closes when the test has ended.
	socket.on('error', () => undefined).on('close', () => process.exit());
	socket.on('data', data => {
		for (const line of data.toString().trim().split('\n')) answers.get(line)?.();
	});

	let sent = 0;
	async function spend(scope: Scope) {
		for (;;) {
			const priority = sent % 3 ? 'read' : 'operation';
			const permit = await pace.acquire(scope, { priority, signal });
			const state = isStalled() ? 'stalled' : 'prompt';
			const request = `${scope} ${++sent} ${process.hrtime.bigint()} ${state}`;
			await new Promise<void>(resolve => {
				answers.set(request, resolve);
				socket.write(`${request}\n`);
			});
			answers.delete(request);
			permit.reportResponse({ status: 200, headers: new Headers() });
		}
	}
}

/** Kills this process at one of its calls to the disk. A write is killed when half of it is written. */
function fusedFiles(fuse: number): LedgerFs {
	let calls = 0;
	return new Proxy(nodeFiles, {
		get: (files, name) => {
			const call: unknown = Reflect.get(files, name);
			if (typeof call !== 'function') return call;
			return (...args: unknown[]) => {
				if (++calls >= fuse) {
					const [descriptor, text] = args;
					if (name === 'writeSync' && typeof text === 'string') {
						files.writeSync(Number(descriptor), text.slice(0, Math.random() * text.length));
					}
					process.kill(process.pid, 'SIGKILL');
				}
				return Reflect.apply(call, files, args);
			};
		},
	});
}

work(JSON.parse(process.argv[2] ?? ''));
