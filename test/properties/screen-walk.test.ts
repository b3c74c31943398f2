import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { drawAsBuilt } from './screen-walk-grid.ts';
import { live } from './screen-walk-person.ts';
import { names, openWalk } from './screen-walk-stage.ts';
import { sitting, tables } from './screen-walk-steps.ts';

/** Each is some 320 steps. */
const sittings = 80;

/** A program that has ended is left alone for so many steps, and opened again. */
const leftAlone = 4;

beforeAll(drawAsBuilt);

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
	const least = {
		questions: 250,
		deeds: 140,
		deletes: 5,
		creates: 25,
		many: 30,
		resent: 0,
		kept: 8,
		endings: 30,
	};
	for (const [what, number] of Object.entries(least)) {
		expect(met[what], what).toBeGreaterThan(number);
	}
}, 180_000);
