import { expect, test } from 'vitest';
import { createHeldPace, responseHead } from './held-pace.ts';

const second = 1_000;
const minute = 60 * second;

test('the rate limiter waits longer each time that the platform refuses again after its own Retry-After', async () => {
	const { pace, date, ask, move } = createHeldPace({ random: () => 1 });
	const waits: number[] = [];
	for (let times = 0; times < 8; times++) {
		const asked = ask('other', 'operation');
		await move(0);
		asked.permit?.reportResponse(responseHead(429, { 'Retry-After': '1' }));
		const until = pace.budgets().other.frozenUntil ?? 0;
		waits.push((until - date()) / second);
		await move(until - date());
	}
	expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});

test('the rate limiter waits for a Retry-After that is longer than the backoff', async () => {
	const { pace, date, ask, move } = createHeldPace({ random: () => 1 });
	for (let times = 0; times < 3; times++) {
		const asked = ask('other', 'operation');
		await move(0);
		asked.permit?.reportResponse(responseHead(429, { 'Retry-After': '30' }));
		const until = pace.budgets().other.frozenUntil ?? 0;
		expect(until - date()).toBe(30 * second);
		await move(until - date());
	}
});

test('the rate limiter drops a limit of one request after one window if only a single response reported that limit', async () => {
	const { pace, ask, move } = createHeldPace();
	const limitAfter = async (headers: Record<string, string>) => {
		const asked = ask('status', 'operation');
		await move(0);
		asked.permit?.reportResponse(responseHead(200, headers));
		return pace.budgets().status.limit;
	};
	expect(await limitAfter({ 'X-RateLimit-Limit': '1' })).toBe(1);
	await move(61 * second);
	expect(pace.budgets().status.limit).toBe(60);
	expect(await limitAfter({})).toBe(60);
});

test('responses without a limit do not extend the time for which the rate limiter keeps a reported limit', async () => {
	const { pace, ask, move } = createHeldPace();
	const limits: number[] = [];
	for (let time = 0; time < 10; time += 1) {
		const asked = ask('status', 'operation');
		await move(0);
		const headers: Record<string, string> =
			time === 0 ? { 'X-RateLimit-Limit': '30' } : { 'X-RateLimit-Remaining': '20' };
		asked.permit?.reportResponse(responseHead(200, { ...headers, 'X-RateLimit-Reset': '60' }));
		limits.push(pace.budgets().status.limit);
		await move(10 * second);
	}
	expect(limits).toEqual([30, 30, 30, 30, 30, 30, 30, 60, 60, 60]);
});

test('the rate limiter drops a reported limit when a response reports more remaining requests than that limit allows', async () => {
	const { pace, ask, move } = createHeldPace();
	const [stray, next] = [ask('status', 'operation'), ask('status', 'operation')];
	await move(0);
	stray.permit?.reportResponse(responseHead(200, { 'X-RateLimit-Limit': '1' }));
	expect(pace.budgets().status.limit).toBe(1);
	next.permit?.reportResponse(responseHead(200, { 'X-RateLimit-Remaining': '40' }));
	expect(pace.budgets().status.limit).toBe(60);
	await move(minute);
});
