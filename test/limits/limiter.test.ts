import { describe, expect, test, vi } from 'vitest';
import { createLimiter, createRequestCap } from '../../source/limits/limiter.ts';
import {
	limitsOfAll,
	type Priority,
	type RateLimiter,
	type Scope,
} from '../../source/limits/limits.ts';
import { rateLimitHeadersFrom } from '../../source/limits/rate-limit-headers.ts';
import { createHeldClock } from '../held-clock.ts';
import { createHeldLimiter, type PendingRequest, responseHead } from './held-limiter.ts';
import { createMemoryDisk } from './memory-files.ts';
import { createMemoryLog } from './memory-log.ts';

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
	expect([...new Set(told)]).toEqual([refused.limiter.slots().other.frozenUntil]);
	expect(told[0]).toBeGreaterThan(refused.date() + 59 * minute);
});

test('reads are planned more rarely while other clients use the limit', async () => {
	const { ask, limiter, flush } = createHeldLimiter();
	const pace = () => limiter.slots().other.readsPerMs;
	const before = pace();
	const asked = ask('other');
	await flush();
	const told = { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '10' };
	asked.slot?.end(responseHead(200, told));
	expect(pace()).toBeLessThan(before / 2);
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

describe('responses', () => {
	const granted = (asked: readonly { slot?: unknown }[]) =>
		asked.filter(({ slot }) => slot !== undefined).length;

	test('the slots show the requests of other clients when the platform counts more requests than this program sent', async () => {
		const { limiter, ask, move } = createHeldLimiter();
		const asked = ask('status');
		await move(0);
		asked.slot?.end(
			responseHead(200, {
				'X-RateLimit-Limit': '60',
				'X-RateLimit-Remaining': '2',
				'X-RateLimit-Reset': '30',
			}),
		);
		expect(limiter.slots().status).toMatchObject({
			limit: 60,
			free: { read: 2 },
			spentElsewhere: 57,
		});
		const more = many(3, () => ask('status'));
		await move(0);
		expect(granted(more)).toBe(2);
		await move(30 * second - 1);
		expect(granted(more)).toBe(2);
		await move(1);
		expect(granted(more)).toBe(3);
		expect(limiter.slots().status.spentElsewhere).toBe(0);
	});

	test('the rate limiter ignores the rate limit headers of a late response to an older request', async () => {
		const { limiter, ask, move } = createHeldLimiter();
		const [early, late] = [ask('status'), ask('status')];
		await move(0);
		late.slot?.end(responseHead(200, { 'X-RateLimit-Remaining': '3' }));
		early.slot?.end(responseHead(200, { 'X-RateLimit-Remaining': '50' }));
		expect(limiter.slots().status.free.read).toBe(3);
	});

	test('the rate limiter uses a limit in the headers that is smaller than the documented limit, and ignores a larger limit', async () => {
		const { limiter, ask, move } = createHeldLimiter();
		const tell = async (limit: string) => {
			await move(2 * minute);
			const asked = ask('other');
			await move(0);
			asked.slot?.end(responseHead(200, { 'X-RateLimit-Limit': limit }));
			return limiter.slots().other;
		};
		expect(await tell('10')).toMatchObject({ limit: 10, free: { read: 7, operation: 9 } });
		expect(await tell('1')).toMatchObject({ limit: 1, free: { read: 0, operation: 0 } });
		expect(await tell('1000')).toMatchObject({
			limit: 30,
			free: { read: 23, operation: 29 },
		});
		expect(await tell('0')).toMatchObject({ limit: 30 });
	});

	test.each<[string, number, Record<string, string>, number]>([
		['until Retry-After', 429, { 'Retry-After': '7', 'X-RateLimit-Reset': '40' }, 7 * second],
		['until the reset', 429, { 'X-RateLimit-Reset': '40' }, 40 * second],
		[
			'until the reset, but never for days',
			429,
			{ 'X-RateLimit-Reset': '400000' },
			minute + second,
		],
		[
			'until Retry-After, even if that is later than one window',
			429,
			{ 'Retry-After': '600' },
			10 * minute,
		],
		['for at most an hour', 429, { 'Retry-After': '86400' }, hour],
		['for a moment if the response has no such header', 429, {}, 750],
		['for a moment if the reset is already over', 429, { 'X-RateLimit-Reset': '0' }, 750],
		[
			'until the Retry-After of a response with status 503',
			503,
			{ 'Retry-After': '7' },
			7 * second,
		],
	])('after a refused request, the scope is frozen %s', async (_, status, headers, hold) => {
		const { limiter, date, ask, move } = createHeldLimiter();
		const asked = ask('status');
		await move(0);
		asked.slot?.end(responseHead(status, headers));
		expect(limiter.slots().status.frozenUntil).toBe(date() + hold);
		expect(limiter.slots().status.nextAt.read).toBe(date() + hold);
		expect(limiter.slots().status.free).toMatchObject({ read: 0, operation: 0 });
		expect(limiter.slots().other.free.read).toBe(24);
		const next = ask('status', 'operation');
		await move(hold - 1);
		expect(next.slot).toBeUndefined();
		await move(1);
		expect(next.slot).toBeDefined();
		expect(limiter.slots().status.frozenUntil).toBeUndefined();
	});

	test.each<[string, Record<string, string>, number[]]>([
		['says nothing', {}, [1, 2, 4, 8, 16, 32, 60, 60]],
		['asks for too short a wait', { 'Retry-After': '1' }, [1, 2, 4, 8, 16, 32, 60, 60]],
		['asks for a longer wait', { 'Retry-After': '30' }, [30, 30, 30]],
	])('the scope is frozen longer after each refusal that %s', async (_, headers, waits) => {
		const { limiter, date, ask, move } = createHeldLimiter({ random: () => 1 });
		const refuse = async () => {
			const asked = ask('status');
			await move(0);
			asked.slot?.end(responseHead(429, headers));
			return (limiter.slots().status.frozenUntil ?? 0) - date();
		};
		const first = waits[0];
		for (const seconds of waits) {
			expect(await refuse()).toBe(seconds * second);
			await move(seconds * second);
		}
		await move(3 * minute);
		expect(await refuse()).toBe((first ?? 0) * second);
	});

	test('the rate limiter counts refusals of requests that were in flight together as one refusal, with the longest wait', async () => {
		const { limiter, date, ask, move } = createHeldLimiter({ random: () => 1 });
		const asked = many(5, () => ask('status'));
		await move(0);
		asked[0]?.slot?.end(responseHead(429, { 'Retry-After': '5' }));
		for (const { slot } of asked.slice(1)) slot?.end(responseHead(429));
		expect(limiter.slots().status.frozenUntil).toBe(date() + 5 * second);
	});

	test.each([
		['forwards', 5 * hour],
		['backwards', -5 * hour],
		['forwards by years', 5 * 365 * 24 * hour],
	])('slots and freezes end at the right time when the wall clock jumps %s', async (_, jump) => {
		const { limiter, date, ask, move, ...held } = createHeldLimiter();
		const first = many(5, () => ask('create', 'operation'));
		const reads = many(60, () => ask('status'));
		await move(0);
		for (const { slot } of first) slot?.end(responseHead());
		for (const { slot } of reads.slice(1)) slot?.end(responseHead());
		reads[0]?.slot?.end(
			responseHead(429, { 'X-RateLimit-Reset': `${Math.floor(date() / 1_000) + 30}` }),
		);
		const [create, read] = [ask('create', 'operation'), ask('status')];
		held.jump(jump);
		expect(limiter.slots().status.nextAt.read).toBe(date() + minute + second);
		await move(minute + second - 1);
		expect([create.slot, read.slot]).toEqual([undefined, undefined]);
		await move(1);
		expect(read.slot).toBeDefined();
		await move(hour - second - 1);
		expect(create.slot).toBeUndefined();
		await move(1);
		expect(create.slot).toBeDefined();
	});

	test('the rate limiter ignores Retry-After in a response that refuses nothing', async () => {
		const { limiter, date, ask, move } = createHeldLimiter();
		const asked = ask('status');
		await move(0);
		const headers = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '40', 'Retry-After': '5' };
		asked.slot?.end(responseHead(202, headers));
		expect(limiter.slots().status.frozenUntil).toBeUndefined();
		expect(limiter.slots().status.nextAt.read).toBe(date() + 40 * second);
	});

	test('the rate limiter drops a limit of one request after one window if only a single response reported that limit', async () => {
		const { limiter, ask, move } = createHeldLimiter();
		const limitAfter = async (headers: Record<string, string>) => {
			const asked = ask('status', 'operation');
			await move(0);
			asked.slot?.end(responseHead(200, headers));
			return limiter.slots().status.limit;
		};
		expect(await limitAfter({ 'X-RateLimit-Limit': '1' })).toBe(1);
		await move(61 * second);
		expect(limiter.slots().status.limit).toBe(60);
		expect(await limitAfter({})).toBe(60);
	});
});

const now = Date.UTC(2026, 10, 21, 8);

const limitsFrom = (headers: Record<string, string>) =>
	rateLimitHeadersFrom(new Headers(headers), now);
const resetIn = (reset: string) => limitsFrom({ 'X-RateLimit-Reset': reset }).resetInMs;
const retryIn = (retry: string) => limitsFrom({ 'Retry-After': retry }).retryInMs;

test.each([
	['seconds from now', '42', 42_000],
	['fractions of a second', '1.5', 1_500],
	['Unix seconds', `${now / 1_000 + 42}`, 42_000],
	['Unix milliseconds', `${now + 42_000}`, 42_000],
	['an ISO date', '2026-11-21T08:00:42Z', 42_000],
	['an ISO date with fractions of a second', '2026-11-21T08:00:42.500Z', 42_500],
	['an ISO date of another time zone', '2026-11-21T10:00:42+02:00', 42_000],
	['an ISO date without a zone', '2026-11-21T08:00:42', 42_000],
	['an HTTP date', 'Sat, 21 Nov 2026 08:00:42 GMT', 42_000],
	['the past', '2026-11-21T07:59:00Z', -60_000],
])('the rate limiter reads a rate limit reset in %s', (_, reset, wait) => {
	expect(resetIn(reset)).toBe(wait);
});

test.each(['', 'soon', '-5', '5 apples', '2026', 'NaN', '1e3', '0x10'])(
	'the rate limiter ignores the rate limit reset %j, which contains no time',
	reset => {
		// The text 2026 is read as a number of seconds, not as a year.
		expect(resetIn(reset)).toBe(reset === '2026' ? 2_026_000 : undefined);
	},
);

test('the rate limiter reads the header Retry-After in seconds and as a date', () => {
	expect(retryIn('7')).toBe(7_000);
	expect(retryIn('Sat, 21 Nov 2026 08:00:07 GMT')).toBe(7_000);
	expect(retryIn('later')).toBeUndefined();
});

test('the rate limiter compares dates in the headers with the Date header of the same response', () => {
	const skewed = limitsFrom({
		Date: 'Sat, 21 Nov 2026 11:00:00 GMT',
		'X-RateLimit-Reset': '2026-11-21T11:00:42Z',
		'Retry-After': '7',
	});
	expect(skewed).toMatchObject({ resetInMs: 42_000, retryInMs: 7_000 });
});

test('the rate limiter reads the limit and the remaining requests, and ignores values that are not whole numbers', () => {
	const counts = (limit: string, remaining: string) => {
		const limits = limitsFrom({ 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining });
		return [limits.limit, limits.remaining];
	};
	expect(counts('30', '0')).toEqual([30, 0]);
	expect(counts('30, 30;w=60', '12, 12')).toEqual([30, 12]);
	expect(counts('0', '-3')).toEqual([undefined, 0]);
	expect(counts('many', `${'9'.repeat(400)}`)).toEqual([undefined, undefined]);
	expect(limitsFrom({})).toEqual({});
});

const slot = { end() {} };
const free: RateLimiter = { acquire: async () => slot };
const frozen: RateLimiter = { acquire: () => new Promise(() => {}) };

function openCap(maxRequestsPerMinute: number) {
	const clock = createHeldClock();
	const log = createMemoryLog(clock, limitsOfAll(maxRequestsPerMinute));
	const waits: number[] = [];
	const capOfProcess = () => {
		const limiter = createLimiter(clock, () => 0.5, log);
		return createRequestCap(limiter, until => waits.push(until - clock.now())).capRequests;
	};
	const cap = capOfProcess();
	const sent: string[] = [];
	const send = (limiter: RateLimiter, name: string, priority: Priority = 'read') =>
		void limiter
			.acquire('other', { priority, signal: new AbortController().signal })
			.then(granted => {
				sent.push(name);
				granted.end({ status: 200, headers: { get: () => null } });
			});
	const settle = () => new Promise(resolve => setImmediate(resolve));
	return { clock, cap, capOfProcess, sent, waits, send, settle };
}

test('the cap counts the requests of all accounts in every rolling minute', async () => {
	const { clock, cap, sent, send, settle } = openCap(3);
	const [work, lab] = [cap(free), cap(free)];
	for (const name of ['a', 'b', 'c', 'd']) send(name < 'c' ? work : lab, name);
	await settle();
	expect(sent).toEqual(['a', 'b', 'c']);
	clock.move(60_000);
	await settle();
	expect(sent).toEqual(['a', 'b', 'c']);
	clock.move(1_000);
	await settle();
	expect(sent).toEqual(['a', 'b', 'c', 'd']);
});

test('an account that waits for its own limit takes no requests from the other accounts', async () => {
	const { cap, sent, send, settle } = openCap(2);
	for (const name of ['x', 'y', 'z']) send(cap(frozen), name);
	for (const name of ['a', 'b']) send(cap(free), name);
	await settle();
	expect(sent).toEqual(['a', 'b']);
});

test('a refusal concerns the account, and not the cap', async () => {
	const { cap, sent, send, settle } = openCap(3);
	const { signal } = new AbortController();
	const refused = await cap(free).acquire('other', { priority: 'read', signal });
	refused.end({ status: 429, headers: new Headers({ 'retry-after': '50' }) });
	send(cap(free), 'other account');
	await settle();
	expect(sent).toEqual(['other account']);
});

test('a request that is aborted while it waits for the cap frees the slot of its account', async () => {
	const { cap, send, settle } = openCap(1);
	send(cap(free), 'first');
	await settle();
	const end = vi.fn();
	const controller = new AbortController();
	const { signal } = controller;
	const limiter = { acquire: async () => ({ end }) };
	const waiting = cap(limiter).acquire('other', { priority: 'read', signal });
	await settle();
	controller.abort(new Error('cancelled'));
	await expect(waiting).rejects.toThrow('cancelled');
	expect(end.mock.calls).toEqual([['notSent']]);
});

test('processes that share a log share the cap, and a process that waits says how long', async () => {
	const { clock, cap, capOfProcess, sent, waits, send, settle } = openCap(2);
	send(cap(free), 'a');
	send(cap(free), 'b');
	await settle();
	clock.move(10_000);
	send(capOfProcess()(free), 'c');
	await settle();
	expect(sent).toEqual(['a', 'b']);
	expect(waits).toEqual([51_000]);
	clock.move(51_000);
	await settle();
	expect(sent).toEqual(['a', 'b', 'c']);
});
