import fc from 'fast-check';
import { expect, test } from 'vitest';
import { live } from './screen-walk-person.ts';
import { names, openWalk } from './screen-walk-stage.ts';
import { sitting, tables } from './screen-walk-steps.ts';

/** Each is some 320 steps. */
const sittings = 70;

/** A program that has ended is left alone for so many steps, and opened again. */
const leftAlone = 4;

test('no keys on any screen do what was not asked, seen and confirmed', async () => {
	const met: Record<string, number> = { steps: 0 };
	const count = (what: string, more: number) => {
		met[what] = (met[what] ?? 0) + more;
	};
	await fc.assert(
		fc.asyncProperty(sitting, async ({ isReadOnly, table, steps }) => {
			const walk = openWalk({ isReadOnly, bindings: tables[table] ?? [] });
			for (const name of names) walk.add(name);
			await walk.pass(2_000);
			try {
				let over = 0;
				for (const step of steps) {
					count('steps', await live(walk, step));
					if (walk.hasQuit()) over += 1;
					if (over > leftAlone) {
						count('endings', 1);
						over = 0;
						walk.reopen();
					}
					walk.witness.swear();
				}
			} finally {
				walk.close();
			}
			for (const [what, number] of Object.entries(walk.witness.met)) count(what, number);
		}),
		{ numRuns: sittings, interruptAfterTimeLimit: 150_000, markInterruptAsFailure: true },
	);
	expect(met['steps']).toBeGreaterThanOrEqual(20_000);
	// Far fewer than there usually are: it has looked at something, and not at nothing.
	const least = {
		questions: 120,
		deeds: 70,
		deletes: 2,
		creates: 12,
		many: 15,
		kept: 4,
		endings: 15,
	};
	for (const [what, number] of Object.entries(least)) {
		expect(met[what], what).toBeGreaterThan(number);
	}
}, 180_000);
