import { expect, test, vi } from 'vitest';
import { createLimiter } from '../../source/limits/limiter.ts';
import { limitsOfAll, type Priority, type RateLimiter } from '../../source/limits/limits.ts';
import { createRequestCap } from '../../source/limits/request-cap.ts';
import { createHeldClock } from '../held-clock.ts';
import { createMemoryLog } from './memory-log.ts';

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
