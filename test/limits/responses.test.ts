import { expect, test } from 'vitest';
import { createHeldLimiter, responseHead } from './held-limiter.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const many = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
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
	['until the reset, but never for days', 429, { 'X-RateLimit-Reset': '400000' }, minute + second],
	[
		'until Retry-After, even if that is later than one window',
		429,
		{ 'Retry-After': '600' },
		10 * minute,
	],
	['for at most an hour', 429, { 'Retry-After': '86400' }, hour],
	['for a moment if the response has no such header', 429, {}, 750],
	['for a moment if the reset is already over', 429, { 'X-RateLimit-Reset': '0' }, 750],
	['until the Retry-After of a response with status 503', 503, { 'Retry-After': '7' }, 7 * second],
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
