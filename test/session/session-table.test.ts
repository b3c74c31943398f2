import { expect, test } from 'vitest';
import type { AccountSession } from '../../source/session/session.ts';
import { createSessionTable, startWatches } from '../../source/session/session-table.ts';
import { createHeldClock } from '../held-clock.ts';
import { profileOf } from '../opened-account.ts';

// The table reads nothing of a session but its account and its profile.
const sessionNamed = (name: string) =>
	({ account: name, profile: profileOf(name) }) as AccountSession;

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
