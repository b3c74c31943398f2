import { expect, test } from 'vitest';
import type { Ledger } from '../../source/pace/ledger.ts';
import type { LedgerFs } from '../../source/pace/ledger-rotation.ts';
import { slotLifetimeMs } from '../../source/pace/limits.ts';
import { createHost, finishRequest, rule, takeSlot } from './host.ts';
import { createMemoryFiles } from './memory-files.ts';

type Call = keyof LedgerFs;

/** Returns the functions of a disk with a hook before every call. */
function watched(disk: LedgerFs, before: (call: Call, args: readonly unknown[]) => void): LedgerFs {
	const wrapped = (Object.keys(disk) as Call[]).map(call => [
		call,
		(...args: unknown[]) => {
			before(call, args);
			return Reflect.apply(disk[call], undefined, args);
		},
	]);
	return Object.fromEntries(wrapped) as LedgerFs;
}

/** Takes up to this many slots, and finishes every other one. */
function work(ledger: Ledger, rounds: number, limit: number) {
	const taken: string[] = [];
	const finished: string[] = [];
	for (let round = 0; round < rounds; round++) {
		const spend = takeSlot(ledger, limit);
		if (!spend) break;
		taken.push(spend.id);
		if (round % 2) {
			finishRequest(ledger, spend);
			finished.push(spend.id);
		}
	}
	return { taken, finished };
}

test('the ledger loses at most one slot when a process is killed at any call to the disk, even halfway through a write', () => {
	const limit = 12;
	const rounds = 6;
	let calls = 0;
	const trialDisk = createMemoryFiles();
	using trial = createHost({ maxBytes: 600, disk: trialDisk });
	work(trial.process(watched(trialDisk, () => ++calls)), rounds, limit);
	expect(calls).toBeGreaterThan(100);

	for (let fatal = 1; fatal <= calls; fatal++) {
		const disk = createMemoryFiles();
		using host = createHost({ maxBytes: 600, disk });
		const bystander = host.process();
		expect(takeSlot(bystander)).toBeDefined();
		let count = 0;
		let isDead = false;
		const sent: string[] = [];
		const victim = host.process(
			watched(disk, (call, [descriptor, text]) => {
				if (++count < fatal) return;
				if (!isDead && call === 'writeSync' && typeof text === 'string') {
					disk.writeSync(Number(descriptor), text.slice(0, text.length / 2));
				}
				isDead = true;
				// The system closes the files of a dead process.
				if (call !== 'closeSync') throw new Error('dead');
			}),
		);
		for (let round = 0; round < rounds && !isDead; round++) {
			const spend = takeSlot(victim);
			if (!isDead && spend) sent.push(spend.id);
		}
		// Checks that an old process and a new process count the same requests, and that at most one slot is lost.
		const late = host.process();
		const known = late.refresh().other;
		const free = limit - known.spends.size;
		expect(bystander.refresh()).toEqual(late.refresh());
		for (const id of sent) expect(known.spends.has(id), `died at ${fatal}`).toBe(true);
		expect(known.spends.size - 1 - sent.length).toBeLessThanOrEqual(1);
		expect(known.fullSince).toBeUndefined();
		expect(work(late, 12, limit).taken.length + work(bystander, 12, limit).taken.length).toBe(free);
		expect(late.problem() ?? bystander.problem()).toBeUndefined();
		expect(host.files().some(file => file.endsWith('.broken'))).toBe(false);
	}
});

// `maxBytes` decides whether every entry ends a file, or only some do. `limit` decides whether the other process
// takes the last slots.
test.each([
	{ maxBytes: 1, limit: 3 },
	{ maxBytes: 400, limit: 3 },
	{ maxBytes: 400, limit: 4 },
	{ maxBytes: 600, limit: 5 },
])(
	'the ledger with the options %o keeps the limit when a process is suspended at any call to the disk',
	({ maxBytes, limit }) => {
		let calls = 0;
		const trialDisk = createMemoryFiles();
		using trial = createHost({ maxBytes, disk: trialDisk });
		work(trial.process(watched(trialDisk, () => ++calls)), limit, limit);

		for (let stop = 1; stop <= calls; stop++) {
			const disk = createMemoryFiles();
			using host = createHost({ maxBytes, disk });
			const other = host.process();
			const earlier = takeSlot(other);
			const meanwhile: string[] = [];
			let count = 0;
			const stopped = host.process(
				watched(disk, () => {
					if (++count !== stop) return;
					if (earlier) finishRequest(other, earlier);
					meanwhile.push(...work(other, limit, limit).taken);
				}),
			);
			const { taken, finished } = work(stopped, limit, limit);
			const all = [earlier?.id, ...taken, ...meanwhile, ...work(other, limit, limit).taken];
			expect(all.length, `stopped at ${stop}`).toBe(limit);
			expect(new Set(all).size).toBe(limit);
			const { spends } = other.refresh().other;
			for (const id of finished)
				expect(spends.get(id)?.hold, `stopped at ${stop}`).toBe(slotLifetimeMs(rule));
			expect(takeSlot(stopped, limit)).toBeUndefined();
			expect(host.process().refresh()).toEqual(other.refresh());
			expect(stopped.refresh()).toEqual(other.refresh());
			expect(stopped.problem() ?? other.problem()).toBeUndefined();
		}
	},
);
