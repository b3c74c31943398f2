import { expect, test } from 'vitest';
import type { Scope } from '../../source/limits/limits.ts';
import { createHeldClock } from '../held-clock.ts';
import { createHeldLimiter, type PendingRequest, responseHead } from './held-limiter.ts';
import { createMemoryDisk } from './memory-files.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const many = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
const granted = (asked: readonly { slot?: unknown }[]) =>
	asked.filter(({ slot }) => slot !== undefined).length;

test.each<[Scope, number, number]>([
	['create', 5, hour + minute],
	['status', 60, minute + second],
	['other', 30, minute + second],
])(
	'in the scope `%s`, the rate limiter lets %i requests be sent, and the next request one window after the first response',
	async (scope, limit, rest) => {
		const { limiter, ask, move } = createHeldLimiter();
		const first = many(limit, () => ask(scope, 'operation'));
		const late = ask(scope, 'operation');
		await move(2 * second);
		expect(granted(first)).toBe(limit);
		for (const { slot } of first) slot?.end(responseHead());

		await move(rest - 1);
		expect(late.slot).toBeUndefined();
		expect(limiter.slots()[scope].free.operation).toBe(0);
		await move(1);
		expect(late.slot).toBeDefined();
		expect(limiter.slots()[scope].free.operation).toBe(limit - 1);
	},
);

test('the rate limiter counts a request without a response until the request can no longer reach the platform', async () => {
	const { limiter, ask, move } = createHeldLimiter();
	const asked = ask('status');
	await move(0);
	await move(2 * minute);
	expect(limiter.slots().status.free.read).toBe(59);
	await move(second);
	expect(limiter.slots().status.free.read).toBe(60);
	// If a response arrives after all, the slot ends one window after the response.
	asked.slot?.end(responseHead());
	expect(limiter.slots().status.free.read).toBe(59);
});

test('the rate limiter counts a request whose response was lost for one window after the loss', async () => {
	const { limiter, ask, move } = createHeldLimiter();
	const asked = ask('status');
	await move(10 * second);
	asked.slot?.end('noResponse');
	await move(minute + second - 1);
	expect(limiter.slots().status.free.read).toBe(59);
	await move(1);
	expect(limiter.slots().status.free.read).toBe(60);
});

test('a request that is not sent counts no longer, and only the first end of its slot counts', async () => {
	const { limiter, ask, move } = createHeldLimiter();
	const asked = ask('status');
	await move(0);
	expect(limiter.slots().status.free.read).toBe(59);
	for (const ending of ['notSent', 'noResponse', responseHead(429)] as const) {
		asked.slot?.end(ending);
		expect(limiter.slots().status).toMatchObject({ free: { read: 60 }, frozenUntil: undefined });
	}
});

test('the rate limiter keeps a fifth of the limit in the scope `other` free for operations', async () => {
	const { limiter, ask, move } = createHeldLimiter();
	const reads = many(30, () => ask('other'));
	await move(0);
	expect(granted(reads)).toBe(24);
	expect(limiter.slots().other.free).toMatchObject({ read: 0, operation: 6 });
	const operations = many(7, () => ask('other', 'operation'));
	await move(0);
	expect(granted(operations)).toBe(6);
	expect(limiter.slots().other.free).toMatchObject({ read: 0, operation: 0 });
});

test('the rate limiter grants slots to operations before reads, and otherwise in the order of arrival', async () => {
	const { ask, move } = createHeldLimiter();
	const first = many(60, () => ask('status'));
	await move(0);
	for (const { slot } of first) slot?.end(responseHead());
	const order: string[] = [];
	const wait = (name: string, priority: 'operation' | 'read') => {
		const asked = ask('status', priority);
		Object.defineProperty(asked, 'slot', { set: () => order.push(name) });
	};
	wait('read 1', 'read');
	wait('operation 1', 'operation');
	wait('read 2', 'read');
	wait('operation 2', 'operation');
	await move(minute + second);
	expect(order).toEqual(['operation 1', 'operation 2', 'read 1', 'read 2']);
});

test('the rate limiter takes no slot for a request that is aborted while it waits', async () => {
	const { limiter, clock, ask, move } = createHeldLimiter();
	many(60, () => ask('status'));
	await move(0);
	const [left, stays] = [ask('status'), ask('status')];
	left.leave();
	await move(0);
	expect(left.reason).toEqual(new Error('cancelled'));
	stays.leave();
	await move(0);
	expect(clock.waiting).toBe(0);
	await move(2 * minute + second);
	expect(limiter.slots().status.free.read).toBe(60);

	const controller = new AbortController();
	controller.abort('before');
	const entered = limiter.acquire('status', { priority: 'read', signal: controller.signal });
	await expect(entered).rejects.toBe('before');
	expect(limiter.slots().status.free.read).toBe(60);
});

test('the rate limiter reports when the next read and the next operation can be sent', async () => {
	const { limiter, date, ask, move } = createHeldLimiter();
	const start = date();
	for (let count = 0; count < 30; count++) {
		const asked = ask('other', 'operation');
		await move(0);
		asked.slot?.end(responseHead());
		await move(second);
	}
	const { nextAt } = limiter.slots().other;
	expect(nextAt.operation).toBe(start + minute + second);
	expect(nextAt.read).toBe(start + 6 * second + minute + second);
	await move(nextAt.read - date() - 1);
	expect(limiter.slots().other.free).toMatchObject({ operation: 6, read: 0 });
	expect(limiter.slots().other.nextAt).toMatchObject({ operation: date(), read: nextAt.read });
	await move(1);
	expect(limiter.slots().other.free).toMatchObject({ operation: 7, read: 1 });
	expect(limiter.slots().other.nextAt).toMatchObject({ operation: date(), read: date() });
});

test.each([
	['the same host', 'a'],
	['another host', 'b'],
])(
	'of two processes that take the last slot at once, the first has it, also if it is of %s',
	async (_, host) => {
		const clock = createHeldClock();
		const files = createMemoryDisk(clock.now);
		const here = createHeldLimiter({ clock, files });
		const there = createHeldLimiter({ clock, files, host });
		const asked = many(59, () => here.ask('status', 'operation'));
		let first: PendingRequest | undefined;
		files.before = call => {
			if (call !== 'append') return;
			files.before = () => undefined;
			first = there.ask('status', 'operation');
		};
		const second = here.ask('status', 'operation');
		await here.flush();
		expect([first?.slot, second.slot]).toEqual([expect.anything(), undefined]);
		for (const { slot } of asked) slot?.end(responseHead());
		await here.move(minute + 6_000);
		expect(second.slot).toBeDefined();
	},
);

test('the rate limiter reads the log again while a request waits, because another process may have finished earlier', async () => {
	const clock = createHeldClock();
	const files = createMemoryDisk(clock.now);
	const [here, there] = [createHeldLimiter({ clock, files }), createHeldLimiter({ clock, files })];
	const asked = many(60, () => there.ask('status'));
	const waiting = here.ask('status');
	await here.move(second);
	for (const { slot } of asked) slot?.end('noResponse');
	await here.move(minute + second + 5 * second);
	expect(waiting.slot).toBeDefined();
});

test('the rate limiter rejects the waiting requests when it closes, and counts the requests in flight as lost', async () => {
	const clock = createHeldClock();
	const files = createMemoryDisk(clock.now);
	const { limiter, ask, move } = createHeldLimiter({ clock, files });
	const asked = many(61, () => ask('status'));
	await move(0);
	const closed = limiter.close();
	await move(300);
	await closed;
	expect(asked[60]?.reason).toMatchObject({ name: 'AbortError' });
	const late = ask('status');
	await move(0);
	expect(late.reason).toMatchObject({ name: 'AbortError' });
	expect(clock.waiting).toBe(0);
	await move(minute + second);
	expect(createHeldLimiter({ clock, files }).limiter.slots().status.free.read).toBe(60);
});

test('a refusal that arrives while a process closes is noted for the others', async () => {
	const clock = createHeldClock();
	const files = createMemoryDisk(clock.now);
	const { limiter, ask, move } = createHeldLimiter({ clock, files });
	const [one, other] = many(2, () => ask('other'));
	await move(0);
	const closed = limiter.close();
	await move(100);
	one?.slot?.end({ status: 200, headers: new Headers() });
	other?.slot?.end({ status: 429, headers: new Headers({ 'retry-after': '50' }) });
	await closed;
	expect(clock.waiting).toBe(0);
	const slots = createHeldLimiter({ clock, files }).limiter.slots();
	expect(slots.other.frozenUntil).toBe(clock.now() + 50 * second);
});

test('the rate limiter takes another slot if the process was suspended between taking a slot and sending', async () => {
	const clock = createHeldClock();
	const files = createMemoryDisk(clock.now);
	files.before = call => {
		if (call !== 'append') return;
		files.before = () => undefined;
		clock.move(90 * second);
	};
	const { limiter, ask, move } = createHeldLimiter({ clock, files });
	const asked = ask('status');
	await move(second);
	expect(asked.slot).toBeDefined();
	expect(limiter.slots().status.free.read).toBe(59);
	// The request may have left only now.
	await move(minute);
	expect(limiter.slots().status.free.read).toBe(59);
});

test('reads use at most a share of the limit, but those that a person requests do not wait for it', async () => {
	const { limiter, ask, move } = createHeldLimiter();
	limiter.slotsWithin(1 / 2);
	const asked = many(15, () => ask('other'));
	await move(0);
	for (const { slot } of asked) slot?.end(responseHead());
	const { free } = limiter.slots().other;
	expect(free).toMatchObject({ read: 0, requestedRead: 9, operation: 15 });
	await move(minute + second);
	expect(limiter.slots().other.free.read).toBe(15);
});

test('the rate limiter tells of a freeze that another process or an earlier run has met', async () => {
	const clock = createHeldClock();
	const files = createMemoryDisk(clock.now);
	const refused = createHeldLimiter({ clock, files });
	const asked = refused.ask('other');
	await refused.flush();
	asked.slot?.end(responseHead(429, { 'retry-after': '3600' }));

	const { limiter } = createHeldLimiter({ clock, files });
	const told: (number | undefined)[] = [];
	limiter.subscribe(() => told.push(limiter.slots().other.frozenUntil));
	limiter.slotsWithin(1);
	limiter.slotsWithin(1);
	expect(told).toEqual([refused.limiter.slots().other.frozenUntil]);
	expect(told[0]).toBeGreaterThan(refused.date() + 59 * minute);
});

test('a creation is written to the disk before its request leaves, and every request while another host has requests', async () => {
	const clock = createHeldClock();
	const files = createMemoryDisk(clock.now);
	const here = createHeldLimiter({ clock, files });
	const syncedAfter = async (scope: Scope, { ask, move } = here) => {
		files.synced.length = 0;
		const asked = ask(scope, 'operation');
		await move(0);
		asked.slot?.end(responseHead());
		return files.synced.length > 0;
	};
	expect(await syncedAfter('other')).toBe(false);
	expect(await syncedAfter('create')).toBe(true);
	await here.move(2 * hour);
	expect(await syncedAfter('other', createHeldLimiter({ clock, files, host: 'b' }))).toBe(false);
	expect(await syncedAfter('other')).toBe(true);
	await here.move(2 * hour);
	expect(await syncedAfter('other')).toBe(false);
});

test('a request that waits is sent when the machine wakes up after its window has ended', async () => {
	const { clock, ask, move } = createHeldLimiter();
	const first = many(60, () => ask('status'));
	const waiting = ask('status');
	await move(0);
	for (const { slot } of first) slot?.end(responseHead());
	clock.sleep(2 * hour);
	await move(6 * second);
	expect(waiting.slot).toBeDefined();
	expect(clock.waiting).toBe(0);
});
