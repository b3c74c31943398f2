import { expect, test } from 'vitest';
import type { AccountSession } from '../../source/session/session.ts';
import { createSessionTable, startWatches } from '../../source/session/session-table.ts';
import { createHeldClock } from '../held-clock.ts';
import { profileOf } from '../opened-account.ts';

// The table reads nothing of a session but its account and its profile.
const sessionNamed = (name: string) =>
	({ account: name, profile: profileOf(name) }) as AccountSession;

const [work, lab] = [sessionNamed('work'), sessionNamed('lab')];

test('calls `begin` once for each session, and the function that `begin` returns when the session leaves the table', () => {
	const table = createSessionTable([work]);
	const calls: string[] = [];
	const end = table.follow(({ account }) => {
		calls.push(`${account} begins`);
		return () => calls.push(`${account} ends`);
	});
	table.add(lab);
	table.remove(work);
	expect(calls).toEqual(['work begins', 'lab begins', 'work ends']);
	end();
	table.add(work);
	expect(calls.slice(3)).toEqual(['lab ends']);
});

test('returns the same sessions and profiles until an account comes or goes', () => {
	const table = createSessionTable([work]);
	const before = { all: table.all(), profiles: table.profiles() };
	expect(table.all()).toBe(before.all);
	expect(table.profiles()).toBe(before.profiles);
	table.add(lab);
	expect(table.profiles().map(({ name }) => name)).toEqual(['work', 'lab']);
});

test('does not remove its only session', () => {
	const table = createSessionTable([work]);
	expect(table.remove(work)).toBe(false);
	expect(table.all()).toEqual([work]);
});

test('starts the watches of the accounts one after another, and not at all after the end', () => {
	const clock = createHeldClock();
	const started: string[] = [];
	const watched = ['work', 'lab', 'home'].map(
		name =>
			({
				...sessionNamed(name),
				watch: { start: () => started.push(name) },
			}) as unknown as AccountSession,
	);
	const [first, ...others] = watched as [AccountSession, ...AccountSession[]];
	const stop = startWatches(createSessionTable([first, ...others]), clock);
	const counts = [started.length];
	for (let step = 0; step < 2; step++) {
		clock.move(300);
		counts.push(started.length);
	}
	expect(started).toEqual(['work', 'lab', 'home']);
	expect(counts).toEqual([1, 2, 3]);
	stop();

	started.length = 0;
	startWatches(createSessionTable([first, ...others]), clock)();
	clock.move(1_000);
	expect(started).toEqual(['work']);
});
