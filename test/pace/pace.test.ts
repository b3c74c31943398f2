import { expect, test } from 'vitest';
import { createMemoryLedger } from '../../source/pace/ledger.ts';
import { documentedLimits, type Scope } from '../../source/pace/limits.ts';
import { createHeldClock } from '../held-clock.ts';
import { createHeldPace, responseHead } from './held-pace.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const many = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
const granted = (asked: readonly { permit?: unknown }[]) =>
	asked.filter(({ permit }) => permit !== undefined).length;

test.each<[Scope, number, number]>([
	['create', 5, hour + minute],
	['status', 60, minute + second],
	['other', 30, minute + second],
])(
	'in the scope `%s`, the rate limiter lets %i requests be sent, and the next request one window after the first response',
	async (scope, limit, rest) => {
		const { pace, ask, move } = createHeldPace();
		const first = many(limit, () => ask(scope, 'operation'));
		const late = ask(scope, 'operation');
		await move(2 * second);
		expect(granted(first)).toBe(limit);
		for (const { permit } of first) permit?.reportResponse(responseHead());

		await move(rest - 1);
		expect(late.permit).toBeUndefined();
		expect(pace.budgets()[scope].requestsLeft.operation).toBe(0);
		await move(1);
		expect(late.permit).toBeDefined();
		expect(pace.budgets()[scope].requestsLeft.operation).toBe(limit - 1);
	},
);

test('the rate limiter counts a request without a response until the request can no longer reach the platform', async () => {
	const { pace, ask, move } = createHeldPace();
	const asked = ask('status');
	await move(0);
	await move(2 * minute);
	expect(pace.budgets().status.requestsLeft.read).toBe(59);
	await move(second);
	expect(pace.budgets().status.requestsLeft.read).toBe(60);
	// If a response arrives after all, the slot ends one window after the response.
	asked.permit?.reportResponse(responseHead());
	expect(pace.budgets().status.requestsLeft.read).toBe(59);
});

test('the rate limiter counts a request whose response was lost for one window after the loss', async () => {
	const { pace, ask, move } = createHeldPace();
	const asked = ask('status');
	await move(10 * second);
	asked.permit?.reportNoResponse();
	await move(minute + second - 1);
	expect(pace.budgets().status.requestsLeft.read).toBe(59);
	await move(1);
	expect(pace.budgets().status.requestsLeft.read).toBe(60);
});

test('the rate limiter counts a permit once, even if both of its methods are called', async () => {
	const { pace, ask, move } = createHeldPace();
	const { permit } = await (async () => {
		const asked = ask('status');
		await move(0);
		return asked;
	})();
	permit?.reportNoResponse();
	permit?.reportResponse(responseHead(429));
	expect(pace.budgets().status).toMatchObject({ requestsLeft: { read: 59 } });
	expect(pace.budgets().status.frozenUntil).toBeUndefined();
});

test('the rate limiter keeps a fifth of the limit in the scope `other` free for operations', async () => {
	const { pace, ask, move } = createHeldPace();
	const reads = many(30, () => ask('other'));
	await move(0);
	expect(granted(reads)).toBe(24);
	expect(pace.budgets().other.requestsLeft).toEqual({ read: 0, operation: 6 });
	const operations = many(7, () => ask('other', 'operation'));
	await move(0);
	expect(granted(operations)).toBe(6);
	expect(pace.budgets().other.requestsLeft).toEqual({ read: 0, operation: 0 });
});

test('the rate limiter grants permits to operations before reads, and otherwise in the order of arrival', async () => {
	const { ask, move } = createHeldPace();
	const first = many(60, () => ask('status'));
	await move(0);
	for (const { permit } of first) permit?.reportResponse(responseHead());
	const order: string[] = [];
	const wait = (name: string, priority: 'operation' | 'read') => {
		const asked = ask('status', priority);
		Object.defineProperty(asked, 'permit', { set: () => order.push(name) });
	};
	wait('read 1', 'read');
	wait('operation 1', 'operation');
	wait('read 2', 'read');
	wait('operation 2', 'operation');
	await move(minute + second);
	expect(order).toEqual(['operation 1', 'operation 2', 'read 1', 'read 2']);
});

test('the rate limiter takes no slot for a request that is aborted while it waits', async () => {
	const { pace, clock, ask, move } = createHeldPace();
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
	expect(pace.budgets().status.requestsLeft.read).toBe(60);

	const controller = new AbortController();
	controller.abort('before');
	const entered = pace.acquire('status', { priority: 'read', signal: controller.signal });
	await expect(entered).rejects.toBe('before');
	expect(pace.budgets().status.requestsLeft.read).toBe(60);
});

test('the rate limiter reports in the budget when the next read and the next operation can be sent', async () => {
	const { pace, date, ask, move } = createHeldPace();
	const start = date();
	for (let count = 0; count < 30; count++) {
		const asked = ask('other', 'operation');
		await move(0);
		asked.permit?.reportResponse(responseHead());
		await move(second);
	}
	const { nextRequestAt: nextAt } = pace.budgets().other;
	expect(nextAt.operation).toBe(start + minute + second);
	expect(nextAt.read).toBe(start + 6 * second + minute + second);
	await move(nextAt.read - date() - 1);
	expect(pace.budgets().other.requestsLeft).toEqual({ operation: 6, read: 0 });
	expect(pace.budgets().other.nextRequestAt).toEqual({ operation: date(), read: nextAt.read });
	await move(1);
	expect(pace.budgets().other.requestsLeft).toEqual({ operation: 7, read: 1 });
	expect(pace.budgets().other.nextRequestAt).toEqual({ operation: date(), read: date() });
});

test('two processes with one ledger count their requests together and share the reported limits', async () => {
	const clock = createHeldClock();
	const ledger = createMemoryLedger({ msSinceBoot: clock.now });
	const [here, there] = [createHeldPace({ clock, ledger }), createHeldPace({ clock, ledger })];
	const asked = many(20, () => [here, there].map(({ ask }) => ask('status', 'operation'))).flat();
	const waiting = many(30, () => there.ask('status', 'operation'));
	await here.move(0);
	expect(granted([...asked, ...waiting])).toBe(60);
	for (const { permit } of asked) permit?.reportResponse(responseHead());
	for (const { permit } of waiting)
		permit?.reportResponse(responseHead(429, { 'Retry-After': '90' }));
	expect(here.pace.budgets()).toEqual(there.pace.budgets());
	await here.move(90 * second - 1);
	expect(granted(waiting)).toBe(20);
	await here.move(1);
	expect(granted(waiting)).toBe(30);
});

test('the rate limiter checks the ledger again while a request waits, because another process may have finished earlier', async () => {
	const clock = createHeldClock();
	const ledger = createMemoryLedger({ msSinceBoot: clock.now });
	const [here, there] = [createHeldPace({ clock, ledger }), createHeldPace({ clock, ledger })];
	const asked = many(60, () => there.ask('status'));
	const waiting = here.ask('status');
	await here.move(second);
	for (const { permit } of asked) permit?.reportNoResponse();
	await here.move(minute + second + 5 * second);
	expect(waiting.permit).toBeDefined();
});

test('the rate limiter calls the listeners when a permit is granted and when its response is reported', async () => {
	const { pace, ask, move } = createHeldPace();
	let heard = 0;
	const leave = pace.subscribe(() => {
		heard++;
	});
	const asked = ask('status');
	expect(heard).toBe(1);
	await move(0);
	asked.permit?.reportResponse(responseHead());
	expect(heard).toBe(2);
	leave();
	ask('status');
	expect(heard).toBe(2);
});

test('the rate limiter rejects the waiting requests when it closes, and counts the requests in flight as lost', async () => {
	const clock = createHeldClock();
	const ledger = createMemoryLedger({ msSinceBoot: clock.now });
	const { pace, ask, move } = createHeldPace({ clock, ledger });
	const asked = many(61, () => ask('status'));
	await move(0);
	await pace.close();
	await move(0);
	expect(asked[60]?.reason).toMatchObject({ name: 'AbortError' });
	const late = ask('status');
	await move(0);
	expect(late.reason).toMatchObject({ name: 'AbortError' });
	expect(clock.waiting).toBe(0);
	await move(minute + second);
	expect(createHeldPace({ clock, ledger }).pace.budgets().status.requestsLeft.read).toBe(60);
});

test('the rate limiter sets no timer while no request waits for a permit', async () => {
	const { clock, ask, move } = createHeldPace();
	many(5, () => ask('other'));
	await move(0);
	expect(clock.waiting).toBe(0);
});

test('the rate limiter takes another slot if the process was suspended between taking a slot and sending', async () => {
	const clock = createHeldClock();
	const ledger = createMemoryLedger({ msSinceBoot: clock.now });
	let isStopped = true;
	const stopping = {
		...ledger,
		append(entry: Parameters<typeof ledger.append>[0]) {
			if (isStopped) clock.move(90 * second);
			isStopped = false;
			return ledger.append(entry);
		},
	};
	const { pace, ask, move } = createHeldPace({ clock, ledger: stopping });
	const asked = ask('status');
	await move(1);
	expect(asked.permit).toBeDefined();
	expect(pace.budgets().status.requestsLeft.read).toBe(58);
});

test('the rate limiter uses the limits that the platform documents', () => {
	const { create, status, other } = documentedLimits;
	expect([create.maxRequests, create.windowMs]).toEqual([5, hour]);
	expect([status.maxRequests, status.windowMs]).toEqual([60, minute]);
	expect([other.maxRequests, other.windowMs]).toEqual([30, minute]);
});

test('the rate limiter tells of a freeze that another process or an earlier run has met', async () => {
	const ledger = createMemoryLedger({ msSinceBoot: createHeldClock().now });
	const refused = createHeldPace({ ledger });
	const asked = refused.ask('other');
	await refused.flush();
	asked.permit?.reportResponse(responseHead(429, { 'retry-after': '3600' }));

	const { pace } = createHeldPace({ ledger });
	const told: (number | undefined)[] = [];
	pace.subscribe(() => told.push(pace.budgets().other.frozenUntil));
	pace.readBudgets();
	pace.readBudgets();
	expect(told).toEqual([refused.pace.budgets().other.frozenUntil]);
	expect(told[0]).toBeGreaterThan(refused.date() + 59 * minute);
});
