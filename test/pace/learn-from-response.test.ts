import { expect, test } from 'vitest';
import { createHeldPace, responseHead } from './held-pace.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const many = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
const granted = (asked: readonly { permit?: unknown }[]) =>
	asked.filter(({ permit }) => permit !== undefined).length;

test('the budget shows the requests of other clients when the platform counts more requests than this program sent', async () => {
	const { pace, ask, move } = createHeldPace();
	const asked = ask('status');
	await move(0);
	asked.permit?.reportResponse(
		responseHead(200, {
			'X-RateLimit-Limit': '60',
			'X-RateLimit-Remaining': '2',
			'X-RateLimit-Reset': '30',
		}),
	);
	expect(pace.budgets().status).toMatchObject({
		limit: 60,
		requestsLeft: { read: 2 },
		spentElsewhere: 57,
	});
	const more = many(3, () => ask('status'));
	await move(0);
	expect(granted(more)).toBe(2);
	await move(30 * second - 1);
	expect(granted(more)).toBe(2);
	await move(1);
	expect(granted(more)).toBe(3);
	expect(pace.budgets().status.spentElsewhere).toBe(0);
});

test('the rate limiter ignores the rate limit headers of a late response to an older request', async () => {
	const { pace, ask, move } = createHeldPace();
	const [early, late] = [ask('status'), ask('status')];
	await move(0);
	late.permit?.reportResponse(responseHead(200, { 'X-RateLimit-Remaining': '3' }));
	early.permit?.reportResponse(responseHead(200, { 'X-RateLimit-Remaining': '50' }));
	expect(pace.budgets().status.requestsLeft.read).toBe(3);
});

test('the rate limiter uses a limit in the headers that is smaller than the documented limit, and ignores a larger limit', async () => {
	const { pace, ask, move } = createHeldPace();
	const tell = async (limit: string) => {
		await move(2 * minute);
		const asked = ask('other');
		await move(0);
		asked.permit?.reportResponse(responseHead(200, { 'X-RateLimit-Limit': limit }));
		return pace.budgets().other;
	};
	expect(await tell('10')).toMatchObject({ limit: 10, requestsLeft: { read: 7, operation: 9 } });
	expect(await tell('1')).toMatchObject({ limit: 1, requestsLeft: { read: 0, operation: 0 } });
	expect(await tell('1000')).toMatchObject({
		limit: 30,
		requestsLeft: { read: 23, operation: 29 },
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
	const { pace, date, ask, move } = createHeldPace();
	const asked = ask('status');
	await move(0);
	asked.permit?.reportResponse(responseHead(status, headers));
	expect(pace.budgets().status.frozenUntil).toBe(date() + hold);
	expect(pace.budgets().status.nextRequestAt.read).toBe(date() + hold);
	expect(pace.budgets().status.requestsLeft).toEqual({ read: 0, operation: 0 });
	expect(pace.budgets().other.requestsLeft.read).toBe(24);
	const next = ask('status', 'operation');
	await move(hold - 1);
	expect(next.permit).toBeUndefined();
	await move(1);
	expect(next.permit).toBeDefined();
	expect(pace.budgets().status.frozenUntil).toBeUndefined();
});

test('the rate limiter freezes the scope longer after each refusal, for up to one window', async () => {
	const { pace, date, ask, move } = createHeldPace({ random: () => 1 });
	const waits: number[] = [];
	for (let times = 0; times < 8; times++) {
		const asked = ask('status');
		await move(0);
		asked.permit?.reportResponse(responseHead(429));
		const until = pace.budgets().status.frozenUntil ?? 0;
		waits.push((until - date()) / second);
		await move(until - date());
	}
	expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
	await move(3 * minute);
	const asked = ask('status');
	await move(0);
	asked.permit?.reportResponse(responseHead(429));
	expect(pace.budgets().status.frozenUntil).toBe(date() + second);
});

test('the rate limiter counts refusals of requests that were in flight together as one refusal, with the longest wait', async () => {
	const { pace, date, ask, move } = createHeldPace({ random: () => 1 });
	const asked = many(5, () => ask('status'));
	await move(0);
	asked[0]?.permit?.reportResponse(responseHead(429, { 'Retry-After': '5' }));
	for (const { permit } of asked.slice(1)) permit?.reportResponse(responseHead(429));
	expect(pace.budgets().status.frozenUntil).toBe(date() + 5 * second);
});

test.each([
	['forwards', 5 * hour],
	['backwards', -5 * hour],
	['forwards by years', 5 * 365 * 24 * hour],
])('slots and freezes end at the right time when the wall clock jumps %s', async (_, jump) => {
	const { pace, date, ask, move, ...held } = createHeldPace();
	const first = many(5, () => ask('create', 'operation'));
	const reads = many(60, () => ask('status'));
	await move(0);
	for (const { permit } of first) permit?.reportResponse(responseHead());
	for (const { permit } of reads.slice(1)) permit?.reportResponse(responseHead());
	reads[0]?.permit?.reportResponse(
		responseHead(429, { 'X-RateLimit-Reset': `${Math.floor(date() / 1_000) + 30}` }),
	);
	const [create, read] = [ask('create', 'operation'), ask('status')];
	held.jump(jump);
	expect(pace.budgets().status.nextRequestAt.read).toBe(date() + minute + second);
	await move(minute + second - 1);
	expect([create.permit, read.permit]).toEqual([undefined, undefined]);
	await move(1);
	expect(read.permit).toBeDefined();
	await move(hour - second - 1);
	expect(create.permit).toBeUndefined();
	await move(1);
	expect(create.permit).toBeDefined();
});

test('the rate limiter ignores Retry-After in a response that refuses nothing', async () => {
	const { pace, date, ask, move } = createHeldPace();
	const asked = ask('status');
	await move(0);
	const headers = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '40', 'Retry-After': '5' };
	asked.permit?.reportResponse(responseHead(202, headers));
	expect(pace.budgets().status.frozenUntil).toBeUndefined();
	expect(pace.budgets().status.nextRequestAt.read).toBe(date() + 40 * second);
});
