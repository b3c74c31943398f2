import nodeFiles, { cpSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDiskLedger } from '../../source/pace/disk-ledger.ts';
import type { LedgerFs } from '../../source/pace/ledger-rotation.ts';
import { documentedLimits, type Scope, slotLifetimeMs } from '../../source/pace/limits.ts';
import { createHeldClock } from '../held-clock.ts';
import { createHeldPace, type PendingRequest, responseHead } from './held-pace.ts';

// These processes share little more than a folder: hosts with one home directory, processes on a full disk, and
// processes whose folder is emptied. In all cases, no window may contain more requests than the limit.

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** Creates a folder and a clock for several hosts, and records when requests were granted. */
function createShared() {
	const place = mkdtempSync(join(tmpdir(), 'hosts-'));
	const directory = join(place, 'pace');
	onTestFinished(() => rmSync(place, { recursive: true, force: true }));
	const clock = createHeldClock();
	const started = clock.now();
	const granted: Record<Scope, number[]> = { create: [], status: [], other: [] };
	const waiting: { scope: Scope; asked: PendingRequest }[] = [];
	let pids = 0;

	/** Creates a process of a host with this uptime in milliseconds, whose wall clock is `ahead` milliseconds ahead. */
	function pane({ host = 'a1', uptime = 10 * day, ahead = 0, files = nodeFiles as LedgerFs } = {}) {
		pids += 1;
		const msSinceBoot = () => uptime + clock.now() - started;
		const wallClockNow = () => clock.now() + ahead;
		const clocks = { msSinceBoot, wallClockNow };
		const options = { directory, baseName: 'pace-1', pid: pids, random: () => 0.5, hostId: host };
		const ledger = createDiskLedger({ ...options, ...clocks, files });
		const held = createHeldPace({ clock, ledger });
		return {
			...held,
			want(scope: Scope, count: number) {
				for (let left = count; left > 0; left -= 1) {
					waiting.push({ scope, asked: held.ask(scope, 'operation') });
				}
			},
		};
	}

	async function settle() {
		for (let before = -1; before !== waiting.length; ) {
			before = waiting.length;
			await new Promise(setImmediate);
			for (const one of [...waiting]) {
				if (!one.asked.permit) continue;
				waiting.splice(waiting.indexOf(one), 1);
				granted[one.scope].push(clock.now());
				one.asked.permit.reportResponse(responseHead());
			}
		}
	}

	return {
		directory,
		clock,
		granted,
		pane,
		async pass(milliseconds: number, step = second, each = () => {}) {
			for (let left = milliseconds; left > 0; left -= step) {
				each();
				clock.move(Math.min(step, left));
				await settle();
			}
		},
		/** Returns the largest number of requests in any window. */
		most(scope: Scope) {
			const { windowMs: window } = documentedLimits[scope];
			const times = granted[scope];
			return Math.max(
				0,
				...times.map((from, at) => times.slice(at).filter(time => time < from + window).length),
			);
		},
	};
}

test.each([
	['was started later', { uptime: 30 * second }],
	['was started earlier', { uptime: 400 * day }],
	['has a clock that is four seconds ahead', { uptime: 20 * day, ahead: 4 * second }],
	['has a clock that is four seconds behind', { uptime: 20 * day, ahead: -4 * second }],
])(
	'two hosts that share a home directory keep the limits together if one host %s',
	async (_, other) => {
		const shared = createShared();
		const [here, there] = [shared.pane(), shared.pane({ host: 'b2', ...other })];
		for (const each of [here, there]) {
			each.want('status', 150);
			each.want('other', 80);
			each.want('create', 8);
		}
		await shared.pass(4 * minute);
		expect(shared.most('status')).toBeLessThanOrEqual(60);
		expect(shared.most('other')).toBeLessThanOrEqual(30);
		expect(shared.most('create')).toBeLessThanOrEqual(5);
		// The two hosts also do not delay each other for longer than necessary.
		expect(shared.granted.status.length).toBeGreaterThan(150);
		expect(here.ledger.problem() ?? there.ledger.problem()).toBeUndefined();
		expect(readdirSync(shared.directory).filter(file => file.endsWith('.broken'))).toEqual([]);
	},
);

test('a host that starts later counts the requests of another host until their slots end', async () => {
	const shared = createShared();
	shared.pane().want('create', 5);
	await shared.pass(10 * second);
	expect(shared.granted.create).toHaveLength(5);
	await shared.pass(30 * minute, minute);
	const late = shared.pane({ host: 'b2', uptime: 5 * minute });
	expect(late.pace.budgets().create.requestsLeft.operation).toBe(0);
	await shared.pass(31 * minute + 10 * second, minute);
	expect(late.pace.budgets().create.requestsLeft.operation).toBe(5);
});

test('a scope is frozen on both hosts when the platform refuses a request of one host', async () => {
	const shared = createShared();
	const [here, there] = [shared.pane(), shared.pane({ host: 'b2', uptime: day })];
	const asked = here.ask('status');
	await here.move(0);
	asked.permit?.reportResponse(responseHead(429, { 'Retry-After': '20' }));
	await shared.pass(2 * second);
	expect(there.pace.budgets().status.requestsLeft.operation).toBe(0);
	expect(there.pace.budgets().status.frozenUntil).toBeGreaterThan(shared.clock.now() + 17 * second);
	await shared.pass(30 * second);
	expect(there.pace.budgets().status.requestsLeft.operation).toBeGreaterThan(0);
});

test('the ledger counts the requests that were sent before a restart of the host', async () => {
	const shared = createShared();
	shared.pane({ host: 'a1', uptime: 90 * day }).want('create', 5);
	await shared.pass(10 * minute, minute);
	const after = shared.pane({ host: 'a2', uptime: minute });
	expect(after.pace.budgets().create.requestsLeft.operation).toBe(0);
	await shared.pass(55 * minute, minute);
	expect(after.pace.budgets().create.requestsLeft.operation).toBe(5);
});

test('the ledger of a host that has been silent for a day is deleted', async () => {
	const shared = createShared();
	const [gone, here] = [shared.pane({ host: 'b2', uptime: day }), shared.pane()];
	gone.want('other', 1);
	await shared.pass(second);
	gone.ledger.close();
	const file = join(shared.directory, 'pace-1-b2.1');
	const touch = (ago: number) => {
		const at = (shared.clock.now() - ago) / 1_000;
		utimesSync(file, at, at);
	};
	touch(2 * 60 * minute);
	await shared.pass(2 * second);
	here.ledger.refresh();
	expect(readdirSync(shared.directory)).toContain('pace-1-b2.1');
	touch(day + second);
	await shared.pass(2 * second);
	here.ledger.refresh();
	expect(readdirSync(shared.directory)).toEqual(['pace-1-a1.1']);
});

test('the requests in a ledger that an earlier version wrote are counted', async () => {
	const shared = createShared();
	cpSync(join(import.meta.dirname, '../fixtures/ledger-v0'), shared.directory, { recursive: true });
	const here = shared.pane({ uptime: 1_001_000 });
	const { create, status, other } = here.ledger.refresh();
	expect([create, status, other].map(({ spends }) => spends.size)).toEqual([1, 1, 2]);
	expect(here.pace.budgets().create.requestsLeft.operation).toBe(4);
	expect(here.pace.budgets().status.frozenUntil).toBeGreaterThan(shared.clock.now());
	await shared.pass(2 * minute + 10 * second);
	expect(here.pace.budgets().other.requestsLeft.operation).toBe(30);
	expect(here.pace.budgets().create.requestsLeft.operation).toBe(4);
});

test('the program goes on with the ledger of an earlier version of itself if the host cannot be identified', () => {
	const shared = createShared();
	cpSync(join(import.meta.dirname, '../fixtures/ledger-v0'), shared.directory, { recursive: true });
	const here = shared.pane({ host: '', uptime: 1_001_000 });
	const { create, status, other } = here.ledger.refresh();
	expect([create, status, other].map(({ taken }) => taken)).toEqual([1, 1, 2]);
	expect(other.heard).toMatchObject({ limit: 20, remaining: 15 });
	expect(status.freeze).toMatchObject({ times: 2 });
	expect(here.ledger.problem()).toBeUndefined();
});

const fullDisk: LedgerFs = {
	...nodeFiles,
	writeSync: (() => {
		throw new Error('ENOSPC');
	}) as typeof nodeFiles.writeSync,
};

test('each process on a full disk uses a quarter of each limit and reports that it counts only its own requests', async () => {
	const shared = createShared();
	const panes = [1, 2, 3].map(() => shared.pane({ files: fullDisk }));
	for (const each of panes) {
		each.want('status', 100);
		each.want('other', 50);
		each.want('create', 3);
	}
	await shared.pass(3 * minute);
	expect(shared.most('status')).toBe(45);
	expect(shared.most('other')).toBe(21);
	expect(shared.most('create')).toBe(3);
	for (const { pace } of panes) {
		expect(pace.budgets().status).toMatchObject({ limit: 15, countsThisProcessOnly: true });
		expect(pace.budgets().create).toMatchObject({ limit: 1, countsThisProcessOnly: true });
	}
});

test('a process uses only a quarter of the limit once its disk is full', async () => {
	const shared = createShared();
	let isFull = false;
	const files: LedgerFs = {
		...nodeFiles,
		writeSync: ((...call: Parameters<typeof nodeFiles.writeSync>) => {
			if (isFull) throw new Error('ENOSPC');
			return nodeFiles.writeSync(...call);
		}) as typeof nodeFiles.writeSync,
	};
	const panes = [1, 2, 3].map(() => shared.pane({ files }));
	for (const each of panes) each.want('status', 18);
	await shared.pass(second);
	expect(shared.granted.status).toHaveLength(54);
	isFull = true;
	for (const each of panes) each.want('status', 100);
	await shared.pass(3 * minute);
	expect(shared.most('status')).toBeLessThanOrEqual(60);

	// After the disk has room again, the process does not know for another window what the others have sent.
	isFull = false;
	await shared.pass(30 * second);
	expect(panes[0]?.pace.budgets().status).toMatchObject({ limit: 15, countsThisProcessOnly: true });
	await shared.pass(slotLifetimeMs(documentedLimits.status) + 20 * minute, 5 * second);
	const [first] = panes;
	first?.want('status', 1);
	await shared.pass(slotLifetimeMs(documentedLimits.status) + second);
	expect(first?.pace.budgets().status.countsThisProcessOnly).toBeUndefined();
	expect(first?.pace.budgets().status.limit).toBe(60);
});

test.each([second, 7 * second, 45 * second])(
	'two processes keep the limits while the ledger folder is emptied every %d ms',
	async interval => {
		const shared = createShared();
		const panes = [shared.pane(), shared.pane()];
		for (const each of panes) {
			each.want('status', 300);
			each.want('other', 150);
		}
		let passed = 0;
		await shared.pass(4 * minute, second / 2, () => {
			passed += second / 2;
			if (passed % interval === 0) {
				rmSync(shared.directory, { recursive: true, force: true });
			}
		});
		expect(shared.most('status')).toBeLessThanOrEqual(60);
		expect(shared.most('other')).toBeLessThanOrEqual(30);
		expect(shared.granted.status.length).toBeGreaterThan(60);
		for (const { ledger } of panes) expect(ledger.wasAloneWithin(minute)).toBe(true);
	},
);

test('a request counts in the other process although the ledger folder was emptied meanwhile', async () => {
	const shared = createShared();
	let isDue = false;
	const wiping: LedgerFs = {
		...nodeFiles,
		writeSync: ((descriptor: number, text: string) => {
			if (isDue) rmSync(shared.directory, { recursive: true, force: true });
			isDue = false;
			return nodeFiles.writeSync(descriptor, text);
		}) as typeof nodeFiles.writeSync,
	};
	const [here, there] = [shared.pane({ files: wiping }), shared.pane()];
	here.want('other', 3);
	await shared.pass(second);
	isDue = true;
	here.want('other', 1);
	await shared.pass(second);
	expect(shared.granted.other).toHaveLength(4);
	expect(there.ledger.refresh().other.spends.size).toBe(4);
});
