import nodeFiles from 'node:fs';
import { createConnection } from 'node:net';
import { createDiskLedger } from '../../source/pace/disk-ledger.ts';
import type { LedgerFs } from '../../source/pace/ledger-rotation.ts';
import type { LimitsByScope, Scope } from '../../source/pace/limits.ts';
import { createPace } from '../../source/pace/pace.ts';

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
 * Runs one of many processes that share a budget. Each sends requests as fast as the budget allows, by the clock
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
	const ledger = createDiskLedger({
		directory,
		baseName: 'pace-1',
		pid: process.pid,
		random: Math.random,
		msSinceBoot: now,
		files: fusedFiles(fuse),
		maxBytes: 3_000,
	});
	const pace = createPace({
		clock: { now, monotonic: now, after },
		random: Math.random,
		ledger,
		limits,
	});
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
			const permit = await pace.acquire(scope, { priority, signal });
			const request = `${scope} ${++sent} ${now()}`;
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
