import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRecorder } from '../../source/sharing/recorder.ts';
import { createRecorderLease, leaseLifetimeMs } from '../../source/sharing/recorder-lease.ts';
import { createHeldClock } from '../held-clock.ts';

/** Several processes of one host. Each of them may hold the lease of one account. */
function createProcesses() {
	const folder = mkdtempSync(join(tmpdir(), 'lease-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const clock = createHeldClock();
	const running = new Set([1, 2, 3]);
	const open = (pid: number, hostId = 'host') => {
		const lease = createRecorderLease({
			path: join(folder, 'lease'),
			clock,
			random: Math.random,
			holder: { pid, hostId },
			isRunning: other => running.has(other),
		});
		// A process that is stopped runs no timers.
		let isStopped = false;
		const after = (ms: number, call: () => void) =>
			clock.after(ms, function tryAgain() {
				if (isStopped) clock.after(1, tryAgain);
				else call();
			});
		const recorder = createRecorder({ lease, clock: { ...clock, after } });
		const setStopped = (next: boolean) => {
			isStopped = next;
		};
		return { ...recorder, setStopped };
	};
	const pass = (ms: number) => {
		for (let left = ms; left > 0; left -= 500) clock.move(500);
	};
	return { folder, running, open, pass };
}

const recorders = (...processes: { isRecorder(): boolean }[]) =>
	processes.map(process => process.isRecorder());

test('the first process that reads becomes the recorder, and stays the recorder while it renews its lease', () => {
	const { open, pass } = createProcesses();
	const [first, second] = [open(1), open(2)];
	expect(recorders(first, second)).toEqual([false, false]);
	second.compete({ canRead: true });
	first.compete({ canRead: true });
	expect(recorders(first, second)).toEqual([false, true]);
	pass(10 * leaseLifetimeMs);
	expect(recorders(first, second)).toEqual([false, true]);
});

test('the recorder is replaced within two seconds after it withdraws or is killed', () => {
	const { open, pass, running, folder } = createProcesses();
	const [first, second, third] = [open(1), open(2), open(3)];
	let becomings = 0;
	second.onBecoming(() => {
		becomings += 1;
	});
	for (const process of [first, second, third]) process.compete({ canRead: true });
	first.withdraw();
	expect(recorders(first, second, third)).toEqual([false, false, false]);
	pass(2_000);
	expect(recorders(first, second, third)).toEqual([false, true, false]);
	expect(becomings).toBe(1);
	running.delete(2);
	second.setStopped(true);
	pass(2_000);
	expect(third.isRecorder()).toBe(true);
	third.withdraw();
	expect(readdirSync(folder)).toEqual([]);
});

test('a recorder that is stopped for ten seconds is replaced, and notices this as soon as it continues', () => {
	const { open, pass } = createProcesses();
	const [first, second] = [open(1), open(2)];
	first.compete({ canRead: true });
	second.compete({ canRead: true });
	first.setStopped(true);
	pass(leaseLifetimeMs - 2_000);
	expect(second.isRecorder()).toBe(false);
	pass(4_000);
	expect(second.isRecorder()).toBe(true);
	// Most processes that are stopped never continue.
	pass(100 * leaseLifetimeMs);
	expect(second.isRecorder()).toBe(true);
	first.setStopped(false);
	expect(recorders(first, second)).toEqual([false, true]);
	second.withdraw();
	pass(2_000);
	expect(recorders(first, second)).toEqual([true, false]);
});

test('a recorder that was stopped stays the recorder if no other process polls', () => {
	const { open, pass } = createProcesses();
	const first = open(1);
	first.compete({ canRead: true });
	first.setStopped(true);
	pass(5 * leaseLifetimeMs);
	first.setStopped(false);
	expect(first.isRecorder()).toBe(true);
});

test('a recorder that takes the lease back compares the fleet with what another recorder wrote meanwhile', () => {
	const { open, pass, running } = createProcesses();
	const [first, second] = [open(1), open(2)];
	let becomings = 0;
	first.onBecoming(() => {
		becomings += 1;
	});
	first.compete({ canRead: true });
	second.compete({ canRead: true });
	expect(becomings).toBe(1);
	first.setStopped(true);
	pass(leaseLifetimeMs + 2_000);
	expect(second.isRecorder()).toBe(true);
	second.setStopped(true);
	running.delete(2);
	expect(first.isRecorder()).toBe(true);
	expect(becomings).toBe(2);
});

test('a process that is signed out leaves the lease to a process that can read, and otherwise stays the recorder', () => {
	const { open, pass } = createProcesses();
	const [first, second, third] = [open(1), open(2), open(3)];
	first.compete({ canRead: true });
	first.compete({ canRead: false });
	third.compete({ canRead: false });
	pass(3 * leaseLifetimeMs);
	expect(recorders(first, second, third)).toEqual([true, false, false]);
	second.compete({ canRead: true });
	expect(second.isRecorder()).toBe(true);
	pass(2_000);
	expect(recorders(first, second, third)).toEqual([false, true, false]);
	first.compete({ canRead: true });
	pass(3 * leaseLifetimeMs);
	expect(recorders(first, second, third)).toEqual([false, true, false]);
});

test('each process that polls records if the lease cannot be written', () => {
	const { folder } = createProcesses();
	const missing = createRecorderLease({
		path: join(folder, 'missing', 'lease'),
		clock: createHeldClock(),
		random: Math.random,
		holder: { pid: 1, hostId: 'host' },
		isRunning: () => true,
	});
	const recorder = createRecorder({ lease: missing, clock: createHeldClock() });
	expect(recorder.isRecorder()).toBe(false);
	recorder.compete({ canRead: true });
	expect(recorder.isRecorder()).toBe(true);
	recorder.withdraw();
	expect(recorder.isRecorder()).toBe(false);
});

test('a process that shares no files with others is always the recorder', () => {
	const recorder = createRecorder({ lease: undefined, clock: createHeldClock() });
	expect(recorder.isRecorder()).toBe(true);
});
