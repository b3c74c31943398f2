import { beforeEach, describe, expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import type { Answers } from '../../source/fleet/reads.ts';
import { createJumps } from '../../source/foundation/clock.ts';
import type { FailureKind } from '../../source/foundation/failure.ts';
import type { Slots } from '../../source/limits/limiter.ts';
import { createFailure, PlatformError } from '../../source/platform/decoding/platform-error.ts';
import type { ReadApi } from '../../source/platform/platform.ts';
import { emptyState } from '../../source/store/state.ts';
import { fold } from '../../source/store/store.ts';
import { createWatch } from '../../source/watch/watch.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { minute, second } from '../durations.ts';
import { createMovingClock, fullRecord } from './simulation.ts';

const accountAnswers: Partial<Answers> = {
	credits: { balance: 4 },
	subscription: null,
	release: { version: '1.4.2', changes: [] },
};

/** A watch over one computer, with a platform that follows `requestFate` and slots that never run out. */
function openWatch() {
	const clock = createMovingClock();
	const calls: { read: string; at: number; signal: AbortSignal }[] = [];
	const facts: Fact[] = [];
	const control = {
		/** How every request ends from now on: `hang` never, and `wait` is never sent. If undefined, with an answer. */
		requestFate: undefined as FailureKind | 'hang' | 'wait' | undefined,
		/** The share of the limits that the watch last asked for. */
		share: 1,
	};
	let state = emptyState;
	const know = (...told: readonly Fact[]) => {
		state = told.reduce(fold, state);
	};

	const answer =
		<T>(read: string, value: T) =>
		(asking: { signal: AbortSignal; onSent?: () => void }) => {
			calls.push({ read, at: clock.now(), signal: asking.signal });
			const { requestFate: fate } = control;
			if (fate !== 'wait') asking.onSent?.();
			return new Promise<T>((resolve, reject) => {
				if (fate === 'hang' || fate === 'wait') return;
				clock.after(50, () => {
					if (fate) reject(new PlatformError(createFailure(fate, 'no')));
					else resolve(value);
				});
			});
		};
	const computers = [{ id: 'a', status: 'active', ...fullRecord }];
	const platform: ReadApi = {
		endSignInWait() {},
		listComputers: answer('list', { computers, requestCount: 1 }),
		readStatus: (id, asking) => answer(`status ${id}`, { id, status: 'active' })(asking),
		readComputer: (id, asking) => answer(`detail ${id}`, { id, status: 'active' })(asking),
		readAccount: (name, asking) => answer(name, (accountAnswers[name] ?? []) as never)(asking),
	};
	const slots = (limit: number, count: number): Slots => ({
		limit,
		free: { operation: count, requestedRead: count, read: count },
		nextAt: { operation: 0, requestedRead: 0, read: 0 },
		readsPerMs: Math.min(limit, 1.25 * limit * control.share) / 61_000,
		spentElsewhere: 0,
		frozenUntil: undefined,
	});
	const watch = createWatch({
		jumps: createJumps(clock),
		account: 'one',
		platform,
		limiter: {
			slotsWithin(share) {
				control.share = share;
				return { create: slots(5, 5), status: slots(60, 50), other: slots(24, 20) };
			},
		},
		clock,
		random: () => 0,
		accountState: () => state.accounts.get('one'),
		receive(received) {
			facts.push(...received);
			know(...received);
		},
		initialAttention: {
			visibleIds: [],
			views: [],
			attendedUntil: Number.POSITIVE_INFINITY,
		},
	});
	const count = (read: string) => calls.filter(each => each.read === read).length;
	return Object.assign(control, { clock, watch, calls, facts, know, count });
}

let setup: ReturnType<typeof openWatch>;

beforeEach(() => {
	setup = openWatch();
});

/** Starts the watch, and lets time pass. */
async function startFor(milliseconds: number) {
	setup.watch.start();
	await setup.clock.live(milliseconds);
}

const types = () => setup.facts.map(({ type }) => type);

const attend = (attendedUntil: number, view = 'fleet', ...visible: readonly string[]) =>
	setup.watch.setAttention({
		visibleIds: visible,
		views: [view],
		attendedUntil,
	});
const forever = Number.POSITIVE_INFINITY;

test('stopping the watch cancels the reads in flight, and no fact is reported afterwards', async () => {
	await startFor(20);
	setup.watch.stop();
	const before = setup.calls.length;
	expect(setup.calls.every(({ signal }) => signal.aborted)).toBe(true);
	await setup.clock.live(minute);
	expect(setup.calls).toHaveLength(before);
	expect(setup.facts).toEqual([]);
	setup.watch.wake();
	setup.watch.readNow();
	await setup.clock.live(minute);
	expect(setup.calls).toHaveLength(before);
});

describe('a paused watch', () => {
	test('reports the answers to the requests that were sent, and sends no more', async () => {
		await startFor(20);
		setup.watch.pause();
		const before = setup.calls.length;
		setup.watch.wake();
		setup.watch.readNow();
		await setup.clock.live(minute);
		expect(types()).toContain('listRead');
		expect(setup.calls).toHaveLength(before);
	});

	test('cancels the reads that wait for the rate limits', async () => {
		setup.requestFate = 'wait';
		await startFor(20);
		setup.watch.pause();
		expect(setup.calls.length).toBeGreaterThan(0);
		expect(setup.calls.every(({ signal }) => signal.aborted)).toBe(true);
	});

	test('discards an answer that was on its way while the process was stopped', async () => {
		await startFor(20);
		setup.watch.pause();
		setup.clock.sleep(60 * minute);
		await setup.clock.live(minute);
		expect(setup.facts).toEqual([]);
		expect(setup.count('list')).toBe(1);
	});
});

test('after the host was asleep, the reads in flight are cancelled and everything is read at once', async () => {
	await startFor(10 * second);
	setup.requestFate = 'hang';
	await setup.clock.live(3 * second);
	const hung = setup.calls.at(-1);
	setup.requestFate = undefined;
	setup.calls.length = 0;
	setup.clock.sleep(60 * minute);
	await setup.clock.live(6 * second);
	expect(hung?.signal.aborted).toBe(true);
	expect(setup.calls[0]?.read).toBe('list');
	await setup.clock.live(2 * second);
	const woken = new Set(setup.calls.map(({ read }) => read));
	expect([...woken].sort()).toEqual(['credits', 'list', 'release', 'subscription']);
});

test('an answer that was on its way while the process was stopped is discarded, and the read is repeated', async () => {
	await startFor(20);
	setup.clock.sleep(60 * minute);
	const continuedAt = setup.clock.now();
	await setup.clock.live(second);
	expect(setup.count('list')).toBe(2);
	expect(types()).toContain('listRead');
	expect(setup.facts.every(({ askedAt = 0 }) => askedAt >= continuedAt)).toBe(true);
});

test('the watch keeps polling after the clock was set back', async () => {
	await startFor(10 * second);
	setup.clock.jump(-60 * minute);
	setup.calls.length = 0;
	await setup.clock.live(minute);
	expect(setup.count('list')).toBeGreaterThanOrEqual(12);
});

test('the watch polls less often while nobody watches, and reads the list at once when a person returns', async () => {
	await startFor(5 * minute);
	attend(setup.clock.now());
	setup.calls.length = 0;
	await setup.clock.live(5 * minute);
	expect(setup.count('list')).toBeGreaterThan(30);
	expect(setup.count('list')).toBeLessThan(35);
	expect(setup.share).toBe(1 / 4);
	setup.calls.length = 0;
	while (setup.count('list') === 0) await setup.clock.live(100);
	await setup.clock.live(6 * second);
	setup.calls.length = 0;
	attend(forever);
	await setup.clock.live(10);
	expect(setup.calls[0]?.read).toBe('list');
	expect(setup.share).toBe(1 / 2);
});

test('the watch reads at once, and once, what only an opened view needs', async () => {
	await startFor(5 * second);
	attend(forever, 'models');
	await setup.clock.live(100);
	expect(setup.count('models')).toBe(1);
	attend(forever);
	attend(forever, 'models');
	await setup.clock.live(5 * minute);
	expect(setup.count('models')).toBe(1);
});

test('the watch reads a computer as soon as the computer becomes urgent', async () => {
	await startFor(minute);
	const now = setup.clock.now();
	const restart = { key: 'k', operation: 'restart', computer: 'a' };
	const sent = operationChanged(restart, 'sent', { asked: now, sent: now });
	setup.know({ account: 'one', at: now, ...sent });
	setup.watch.wake();
	await setup.clock.live(100);
	expect(setup.count('status a')).toBe(1);
	await setup.clock.live(30 * second);
	expect(setup.count('status a')).toBe(11);
	expect(setup.share).toBe(1);
});

test('a computer that the platform does not find is reported as missing', async () => {
	await startFor(second);
	setup.requestFate = 'missing';
	setup.watch.readNow([{ name: 'detail', id: 'a' }]);
	await setup.clock.live(5 * second);
	const missing = { read: 'status', computer: { id: 'a' }, isMissing: true };
	expect(setup.facts).toContainEqual(expect.objectContaining(missing));
});

async function startOutage() {
	await startFor(10 * second);
	setup.requestFate = 'offline';
	await setup.clock.live(20 * minute);
	setup.calls.length = 0;
}

test('an outage ends with the first answer, and then everything is read at once', async () => {
	await startOutage();
	setup.requestFate = undefined;
	await setup.clock.live(61 * second);
	const first = setup.calls[0]?.at ?? 0;
	const soon = setup.calls.filter(({ at }) => at < first + 2000).map(({ read }) => read);
	expect(soon).toEqual(expect.arrayContaining(['list', 'credits', 'subscription', 'release']));
});

test('an outage does not end, and is not tried sooner, because the cursor moves', async () => {
	await startOutage();
	for (let moves = 0; moves < 30; moves += 1) {
		attend(forever, 'fleet', `${moves}`);
		await setup.clock.live(second);
	}
	expect(setup.calls.length).toBeLessThan(2);
});
