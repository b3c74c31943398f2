import { describe, expect, test } from 'vitest';
import { openFollowed, openPanes } from './panes.ts';

const wrongPassword = async () => 'wrong';
const noPassword = () => new Promise<string>(() => {});

describe('a pane that cannot sign in', () => {
	test.each([
		['its password is refused', wrongPassword],
		['it waits for a password', noPassword],
	])('lets a pane that can sign in lead, and follows it, when %s', async (_, password) => {
		const { open, until, pass } = await openPanes();
		const refused = open(1, { passwordOf: password });
		const working = open(2);
		await until(() => working.role() === 'leading' && refused.role() === 'following', 5_000);
		await until(() => refused.state().computers.size === 7);
		expect(refused.facts.some(({ type }) => type === 'signInFailed')).toBe(true);
		// The failure of one pane says nothing about the others.
		expect(working.facts.filter(({ type }) => type === 'readFailed')).toEqual([]);
		const rolesBefore = working.facts.filter(({ type }) => type === 'watchShared').length;
		await pass(30_000);
		expect([refused.role(), working.role()]).toEqual(['following', 'leading']);
		expect(working.facts.filter(({ type }) => type === 'watchShared')).toHaveLength(rolesBefore);
	});

	test('does not pass the leading role back and forth with another pane that cannot sign in', async () => {
		const { open, until, pass, simulator } = await openPanes();
		const panes = [1, 2].map(pid => open(pid, { passwordOf: wrongPassword }));
		const failed = () =>
			panes.every(({ facts }) => facts.some(({ type }) => type === 'signInFailed'));
		await until(failed, 10_000);
		await pass(2_000);
		const followed = () =>
			panes.flatMap(({ facts }) =>
				facts.filter(fact => fact.type === 'watchShared' && fact.leader !== undefined),
			).length;
		const [followedBefore, requestsBefore] = [followed(), simulator.requests.length];
		await pass(60_000, 500);
		expect(followed()).toBe(followedBefore);
		expect(panes.map(pane => pane.role())).toEqual(['alone', 'alone']);
		// Each pane waits for the end of its own backoff.
		expect(simulator.requests.length - requestsBefore).toBeLessThan(10);
		const working = open(3);
		await until(() => working.role() === 'leading' && working.state().computers.size === 7, 5_000);
		await until(() => panes.every(({ state }) => state().computers.size === 7), 5_000);
		expect(panes.map(pane => pane.role())).toEqual(['following', 'following']);
	});

	test('leads again once its password is accepted and no other pane leads', async () => {
		let password = 'wrong';
		const { open, until, pass, simulator } = await openPanes();
		const first = open(1, { passwordOf: async () => password });
		await until(() => first.facts.some(({ type }) => type === 'signInFailed'), 5_000);
		password = simulator.password;
		first.watch.retryAfterSignIn();
		await until(() => first.state().computers.size === 7, 5_000);
		await pass(2_000);
		const second = open(2);
		await until(() => first.role() === 'leading' && second.role() === 'following', 5_000);
	});
});

describe('a pane that a person signs out of', () => {
	test.each(['leading', 'following'] as const)(
		'leaves the others to go on when it was %s, keeps its rows as they were, and returns after a sign-in',
		async role => {
			const { first, second, until, pass, polls, clock, simulator } = await openFollowed(2);
			const [leaving, staying] = role === 'leading' ? [first, second] : [second, first];
			leaving.signOut?.();
			const signedOutAt = clock.now();
			await until(
				() => polls.some(({ pid, at }) => pid === staying.pid && at >= signedOutAt),
				5_000,
			);
			await pass(60_000, 500);
			// A leader without followers counts as alone.
			expect([leaving.role(), staying.role()]).toEqual(['alone', 'alone']);
			expect(leaving.state().computers.size).toBe(7);
			expect(leaving.state().reads.list?.answer?.at).toBeLessThanOrEqual(signedOutAt);
			expect(polls.filter(({ pid, at }) => pid === leaving.pid && at > signedOutAt)).toEqual([]);
			expect(clock.now() - (staying.state().reads.list?.answer?.at ?? 0)).toBeLessThan(10_000);
			// Coming back from Ctrl-Z does not end the sign-out.
			leaving.sharedWatch?.leave('suspended');
			leaving.sharedWatch?.rejoin('suspended');
			await pass(5_000);
			expect(leaving.role()).toBe('alone');
			leaving.passwordRequest?.open();
			leaving.watch.retryAfterSignIn();
			leaving.passwordRequest?.submit(simulator.password);
			await until(() => leaving.role() === 'following', 10_000);
		},
	);
});
