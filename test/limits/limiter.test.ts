import { describe, expect, test, vi } from 'vitest';
import { createLimiter, createRequestCap } from '../../source/limits/limiter.ts';
import {
	limitsOfAll,
	type RateLimiter,
	rateLimitHeadersFrom,
	type Scope,
} from '../../source/limits/limits.ts';
import { hour, minute, second } from '../durations.ts';
import { createHeldClock } from '../held-clock.ts';
import { createHeldLimiter, type PendingRequest, responseHead } from './held-limiter.ts';
import { createMemoryDisk } from './memory-files.ts';
import { createMemoryLog } from './memory-log.ts';

const many = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
const granted = (asked: readonly PendingRequest[]) =>
	asked.filter(({ slot }) => slot !== undefined).length;

describe('the slots', () => {
	test.each<[Scope, number, number]>([
		['create', 5, hour + minute],
		['status', 60, minute + second],
		['other', 30, minute + second],
	])('of `%s` are %i, and the next is free one window after the first response', async (...row) => {
		const [scope, limit, rest] = row;
		const { limiter, ask, date, move } = createHeldLimiter();
		const first = many(limit, () => ask(scope, 'operation'));
		const late = ask(scope, 'operation');
		await move(2 * second);
		expect(granted(first)).toBe(limit);
		for (const { slot } of first) slot?.end(responseHead());
		const { free, nextAt } = limiter.slots()[scope];
		expect([free.operation, nextAt.operation]).toEqual([0, date() + rest]);
		await move(rest - 1);
		expect(late.slot).toBeUndefined();
		await move(1);
		expect(late.slot).toBeDefined();
		expect(limiter.slots()[scope].free.operation).toBe(limit - 1);
	});

	test.each([
		['whose response was lost', 'noResponse', minute + second],
		[
			'without any response, until it can no longer reach the platform',
			undefined,
			2 * minute - 9 * second,
		],
	] as const)('count a request %s', async (_, ending, rest) => {
		const { limiter, ask, move } = createHeldLimiter();
		const asked = ask('status');
		await move(10 * second);
		if (ending) asked.slot?.end(ending);
		await move(rest - 1);
		expect(limiter.slots().status.free.operation).toBe(59);
		await move(1);
		expect(limiter.slots().status.free.operation).toBe(60);
		if (ending) return;
		// A response that arrives after all counts for one window.
		asked.slot?.end(responseHead());
		expect(limiter.slots().status.free.operation).toBe(59);
	});

	test('do not count a request that was not sent, and only the first end of a slot counts', async () => {
		const { limiter, ask, flush } = createHeldLimiter();
		const asked = ask('status');
		await flush();
		expect(limiter.slots().status.free.read).toBe(59);
		for (const ending of ['notSent', 'noResponse', responseHead(429)] as const) {
			asked.slot?.end(ending);
			expect(limiter.slots().status).toMatchObject({ free: { read: 60 }, frozenUntil: undefined });
		}
	});

	test('of the scope `other` leave a fifth for operations, and say when reads go on', async () => {
		const { limiter, ask, date, move, send } = createHeldLimiter();
		const start = date();
		for (const _ of Array(24)) {
			await send('other');
			await move(second);
		}
		const { free, nextAt } = limiter.slots().other;
		expect(free).toMatchObject({ read: 0, requestedRead: 0, operation: 6 });
		expect(nextAt).toMatchObject({ read: start + minute + second, operation: date() });
		const operations = many(7, () => ask('other', 'operation'));
		await move(0);
		expect(granted(operations)).toBe(6);
	});

	test('go to operations before reads, and otherwise in the order of arrival', async () => {
		const { ask, move, send } = createHeldLimiter();
		await Promise.all(many(60, () => send('status')));
		const order: string[] = [];
		for (const [at, priority] of (['read', 'operation', 'read', 'operation'] as const).entries())
			Object.defineProperty(ask('status', priority), 'slot', {
				set: () => order.push(`${priority} ${at}`),
			});
		await move(minute + second);
		expect(order).toEqual(['operation 1', 'operation 3', 'read 0', 'read 2']);
	});

	test('are not taken for a request that is aborted before or while it waits', async () => {
		const { limiter, clock, ask, flush, move, send } = createHeldLimiter();
		await Promise.all(many(60, () => send('status')));
		const left = ask('status');
		left.leave();
		await flush();
		expect(left.reason).toEqual(new Error('cancelled'));
		expect(clock.waiting).toBe(0);
		await move(minute + second);
		const entered = limiter.acquire('status', {
			priority: 'read',
			signal: AbortSignal.abort('before'),
		});
		await expect(entered).rejects.toBe('before');
		expect(limiter.slots().status.free.read).toBe(60);
	});

	test('of reads are at most a share of the limit, but those that a person requests do not wait for it', async () => {
		const { limiter, ask, move } = createHeldLimiter();
		limiter.slotsWithin(1 / 2);
		const asked = many(16, () => ask('other'));
		await move(0);
		expect(granted(asked)).toBe(15);
		for (const { slot } of asked) slot?.end(responseHead());
		expect(limiter.slots().other.free).toMatchObject({ read: 0, requestedRead: 9, operation: 15 });
	});

	test('that are free when the machine wakes up are used at once', async () => {
		const { clock, ask, move, send } = createHeldLimiter();
		await Promise.all(many(60, () => send('status')));
		const waiting = ask('status');
		clock.sleep(2 * hour);
		await move(6 * second);
		expect(waiting.slot).toBeDefined();
	});
});

describe('several processes', () => {
	function open(host = 'a') {
		const clock = createHeldClock();
		const files = createMemoryDisk(clock.now);
		const [here, there] = [
			createHeldLimiter({ clock, files }),
			createHeldLimiter({ clock, files, host }),
		];
		return { clock, files, here, there };
	}

	test.each(['a', 'b'])(
		'of one host or two: the first of two gets the last slot (%s)',
		async host => {
			const { files, here, there } = open(host);
			await Promise.all(many(59, () => here.send('status')));
			let first: PendingRequest | undefined;
			files.before = call => {
				if (call !== 'append') return;
				files.before = () => undefined;
				first = there.ask('status', 'operation');
			};
			const second = here.ask('status', 'operation');
			await here.flush();
			expect([first?.slot, second.slot]).toEqual([expect.anything(), undefined]);
			await here.move(minute + 6_000);
			expect(second.slot).toBeDefined();
		},
	);

	test('notice a slot that another has freed, while they wait', async () => {
		const { here, there } = open();
		const asked = many(60, () => there.ask('status'));
		const waiting = here.ask('status');
		await here.flush();
		for (const { slot } of asked) slot?.end('notSent');
		await here.move(5 * second + 200);
		expect(waiting.slot).toBeDefined();
	});

	test('learn of a refusal that another process has met', async () => {
		const { here, there } = open();
		const told: (number | undefined)[] = [];
		here.limiter.subscribe(() => told.push(here.limiter.slots().other.frozenUntil));
		await there.send('other', 429, { 'retry-after': '3600' });
		here.limiter.slotsWithin(1);
		here.limiter.slotsWithin(1);
		expect(told).toEqual([here.date() + hour]);
	});

	test('learn of what happens while one closes: its requests count as lost, and a refusal is noted', async () => {
		const { clock, here, there } = open();
		const [one, other, lost] = many(3, () => here.ask('other'));
		const waiting = many(30, () => here.ask('other'));
		await here.flush();
		const closed = here.limiter.close();
		await here.flush();
		expect(waiting.at(-1)?.reason).toMatchObject({ name: 'AbortError' });
		one?.slot?.end(responseHead());
		other?.slot?.end(responseHead(429, { 'retry-after': '50' }));
		expect(lost?.slot).toBeDefined();
		await here.move(300);
		await closed;
		const late = here.ask('other');
		await here.flush();
		expect(late.reason).toMatchObject({ name: 'AbortError' });
		expect(there.limiter.slots().other.frozenUntil).toBe(clock.now() - 300 + 50 * second);
		await here.move(minute + second);
		// After the refusal, one request tries.
		expect(there.limiter.slots().other.free.operation).toBe(1);
		expect(clock.waiting).toBe(0);
	});

	test('take another slot after they were stopped between taking one and sending', async () => {
		const { clock, files, here } = open();
		files.before = call => {
			if (call !== 'append') return;
			files.before = () => undefined;
			clock.move(90 * second);
		};
		const asked = here.ask('status');
		await here.move(second);
		expect(asked.slot).toBeDefined();
		// The request may have left only now.
		await here.move(minute);
		expect(here.limiter.slots().status.free.read).toBe(59);
	});

	test('write a creation to the disk before it leaves, and every request while another host has some', async () => {
		const { files, here, there } = open('b');
		const isSynced = async (scope: Scope, { send } = here) => {
			files.synced.length = 0;
			await send(scope);
			return files.synced.length > 0;
		};
		expect(await isSynced('other')).toBe(false);
		expect(await isSynced('create')).toBe(true);
		await here.move(2 * hour);
		expect(await isSynced('other', there)).toBe(false);
		expect(await isSynced('other')).toBe(true);
		await here.move(2 * hour);
		expect(await isSynced('other')).toBe(false);
	});
});

describe('a response', () => {
	test('that counts more requests than were sent shows those of other clients, until its reset', async () => {
		const { limiter, ask, move, send } = createHeldLimiter();
		const pace = limiter.slots().status.readsPerMs;
		const told = {
			'X-RateLimit-Limit': '60',
			'X-RateLimit-Remaining': '2',
			'X-RateLimit-Reset': '30',
		};
		const slots = await send('status', 200, told);
		expect(slots).toMatchObject({ limit: 60, free: { read: 2 }, spentElsewhere: 57 });
		expect(slots.readsPerMs).toBeLessThan(pace / 2);
		const more = many(3, () => ask('status'));
		await move(30 * second - 1);
		expect(granted(more)).toBe(2);
		await move(1);
		expect(granted(more)).toBe(3);
		expect(limiter.slots().status.spentElsewhere).toBe(0);
	});

	test('to an older request, which comes late, says nothing new', async () => {
		const { limiter, ask, flush } = createHeldLimiter();
		const [early, late] = [ask('status'), ask('status')];
		await flush();
		late.slot?.end(responseHead(200, { 'X-RateLimit-Remaining': '3' }));
		early.slot?.end(responseHead(200, { 'X-RateLimit-Remaining': '50' }));
		expect(limiter.slots().status.free.read).toBe(3);
	});

	test.each([
		['10', 10],
		['1', 1],
		['1000', 30],
		['0', 30],
	])('that tells a limit of %s makes it %i, for one window at least', async (told, limit) => {
		const { limiter, move, send } = createHeldLimiter();
		expect(await send('other', 200, { 'X-RateLimit-Limit': told })).toMatchObject({
			limit,
			free: { operation: limit - 1 },
		});
		await move(minute + second);
		expect(limiter.slots().other.limit).toBe(30);
	});

	test.each<[string, number, Record<string, string>, number | undefined]>([
		['until Retry-After', 429, { 'Retry-After': '7', 'X-RateLimit-Reset': '40' }, 7 * second],
		['until the reset', 429, { 'X-RateLimit-Reset': '40' }, 40 * second],
		['for one window at most by a reset', 429, { 'X-RateLimit-Reset': '400000' }, minute + second],
		['longer than a window by Retry-After', 429, { 'Retry-After': '600' }, 10 * minute],
		['for at most an hour', 429, { 'Retry-After': '86400' }, hour],
		['for a moment if it says nothing', 429, {}, 750],
		['for a moment if the reset is over', 429, { 'X-RateLimit-Reset': '0' }, 750],
		['by a 503 with Retry-After', 503, { 'Retry-After': '7' }, 7 * second],
		['by no 503 without it', 503, {}, undefined],
		['by no success', 202, { 'Retry-After': '5' }, undefined],
	])('freezes its scope %s', async (_, status, headers, hold) => {
		const { limiter, date, ask, move, send } = createHeldLimiter();
		const { frozenUntil, free, nextAt } = await send('status', status, headers);
		expect(frozenUntil).toBe(hold && date() + hold);
		if (hold === undefined) return;
		expect([free.read, free.operation, nextAt.read]).toEqual([0, 0, date() + hold]);
		expect(limiter.slots().other.free.read).toBe(24);
		const [next, another] = many(2, () => ask('status', 'operation'));
		await move(hold - 1);
		expect(next?.slot).toBeUndefined();
		await move(1);
		// The other request waits for the response to the first.
		expect([next?.slot, another?.slot]).toEqual([expect.anything(), undefined]);
		next?.slot?.end(responseHead());
		await move(0);
		expect(another?.slot).toBeDefined();
	});

	test.each<[string, Record<string, string>, readonly number[]]>([
		['says nothing', {}, [1, 2, 4, 8, 16, 32, 60, 60]],
		['asks for too short a wait', { 'Retry-After': '1' }, [1, 2, 4, 8, 16, 32, 60, 60]],
		['asks for a longer wait', { 'Retry-After': '30' }, [30, 30, 30]],
	])('that refuses again and %s freezes longer each time', async (_, headers, waits) => {
		const { date, move, send } = createHeldLimiter({ random: () => 1 });
		const refusal = async () => (await send('status', 429, headers)).frozenUntil;
		for (const seconds of waits) {
			expect(await refusal()).toBe(date() + seconds * second);
			await move(seconds * second);
		}
		await move(3 * minute);
		expect(await refusal()).toBe(date() + (waits[0] ?? 0) * second);
	});

	test('that refuses one of several requests in flight counts as one refusal with theirs, by the longest wait', async () => {
		const { limiter, date, ask, flush } = createHeldLimiter({ random: () => 1 });
		const asked = many(5, () => ask('status'));
		await flush();
		asked[0]?.slot?.end(responseHead(429, { 'Retry-After': '5' }));
		for (const { slot } of asked.slice(1)) slot?.end(responseHead(429));
		expect(limiter.slots().status.frozenUntil).toBe(date() + 5 * second);
	});
});

describe('the headers of a response', () => {
	const now = Date.UTC(2026, 10, 21, 8);
	const read = (headers: Record<string, string>) => rateLimitHeadersFrom(new Headers(headers), now);

	test.each<[string, number | undefined]>([
		['42', 42_000],
		['1.5', 1_500],
		[`${now / 1_000 + 42}`, 42_000],
		[`${now + 42_000}`, 42_000],
		['2026-11-21T08:00:42Z', 42_000],
		['2026-11-21T08:00:42.500Z', 42_500],
		['2026-11-21T10:00:42+02:00', 42_000],
		['2026-11-21T08:00:42', 42_000],
		['Sat, 21 Nov 2026 08:00:42 GMT', 42_000],
		['2026-11-21T07:59:00Z', -60_000],
		['2026', 2_026_000],
		...['', 'soon', '-5', '5 apples', 'NaN', '1e3', '0x10'].map(
			text => [text, undefined] as [string, undefined],
		),
	])('tell with %j to wait for %d ms', (text, wait) => {
		expect(read({ 'X-RateLimit-Reset': text }).resetInMs).toBe(wait);
		expect(read({ 'Retry-After': text }).retryInMs).toBe(wait);
	});

	test('tell dates by the clock of the platform', () => {
		const date = 'Sat, 21 Nov 2026 11:00:00 GMT';
		const reset = { Date: date, 'X-RateLimit-Reset': '2026-11-21T11:00:42Z', 'Retry-After': '7' };
		expect(read(reset)).toMatchObject({ resetInMs: 42_000, retryInMs: 7_000 });
	});

	test.each([
		['30', '0', 30, 0],
		['30, 30;w=60', '12, 12', 30, 12],
		['0', '-3', undefined, 0],
		['many', '9'.repeat(400), undefined, undefined],
	])('tell with %j and %j the limit %d and the remaining %d', (one, other, limit, remaining) => {
		const told = { 'X-RateLimit-Limit': one, 'X-RateLimit-Remaining': other };
		expect(read(told)).toMatchObject({ limit, remaining });
	});
});

describe('the cap on the requests of all accounts', () => {
	const free: RateLimiter = { acquire: async () => ({ end() {} }) };
	const frozen: RateLimiter = { acquire: () => new Promise(() => {}) };
	const reading = { priority: 'read', signal: new AbortController().signal } as const;

	function open(maxRequestsPerMinute: number) {
		const clock = createHeldClock();
		const log = createMemoryLog(clock, limitsOfAll(maxRequestsPerMinute));
		const waits: number[] = [];
		const sent: string[] = [];
		const capOfProcess = () =>
			createRequestCap(
				createLimiter(clock, () => 0.5, log),
				until => waits.push(until - clock.now()),
			).capRequests;
		async function send(limiter: RateLimiter, name: string, status = 200) {
			void limiter.acquire('other', reading).then(slot => {
				sent.push(name);
				slot.end(responseHead(status, status === 429 ? { 'retry-after': '50' } : {}));
			});
			await new Promise(setImmediate);
		}
		return { clock, cap: capOfProcess(), capOfProcess, sent, waits, send };
	}

	test('holds in every rolling minute, over accounts and processes, and says how long a request waits', async () => {
		const { clock, cap, capOfProcess, sent, waits, send } = open(2);
		await send(cap(free), 'a');
		await send(cap(free), 'b');
		clock.move(10_000);
		await send(capOfProcess()(free), 'c');
		expect(waits).toEqual([51_000]);
		clock.move(50_999);
		await new Promise(setImmediate);
		expect(sent).toEqual(['a', 'b']);
		clock.move(1);
		await new Promise(setImmediate);
		expect(sent).toEqual(['a', 'b', 'c']);
	});

	test('counts no account that waits for its own limit, and a refusal concerns its account alone', async () => {
		const { cap, sent, send } = open(2);
		for (const name of ['x', 'y', 'z']) await send(cap(frozen), name);
		await send(cap(free), 'a', 429);
		await send(cap(free), 'b');
		expect(sent).toEqual(['a', 'b']);
	});

	test('gives back the slot of an account whose request is aborted while it waits for the cap', async () => {
		const { cap, send } = open(1);
		await send(cap(free), 'first');
		const end = vi.fn();
		const controller = new AbortController();
		const limiter = { acquire: async () => ({ end }) };
		const waiting = cap(limiter).acquire('other', { ...reading, signal: controller.signal });
		await new Promise(setImmediate);
		controller.abort(new Error('cancelled'));
		await expect(waiting).rejects.toThrow('cancelled');
		expect(end.mock.calls).toEqual([['notSent']]);
	});
});
