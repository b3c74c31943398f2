import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OperationId } from '../../source/fleet/operation.ts';
import { flush, type Guarded, names, openGuarded } from '../operations/guarded.ts';
import { createPerson } from '../operations/person.ts';
import type { Fate } from '../operations/pretend-platform.ts';
import { runs } from './runs.ts';

const ids: readonly OperationId[] = [
	'create',
	'start',
	'stop',
	'restart',
	'update',
	'delete',
	'delete',
	'publish',
	'unpublish',
];
const keys = ['y', 'y', 'Y', 'n', 'enter', 'escape', 'c', 'space', 'backspace', '8', '0', 'ctrl-u'];
const fates: readonly Fate[] = [
	400,
	401,
	402,
	403,
	404,
	409,
	429,
	500,
	'cutBefore',
	'cutAfter',
	'hang',
];

const place = fc.nat({ max: 7 });
const a = <const T extends string>(...what: readonly T[]) => fc.constantFrom(...what);
const asking = { operation: fc.constantFrom(...ids), places: fc.array(place, { maxLength: 4 }) };
const soon = fc.constantFrom(1, 100, 299, 300, 1_000, 4_000, 6_000);
const later = fc.constantFrom(20_000, 61_000, 700_000);
const by = fc.constantFrom(-3_600_000, -500, 500, 3_600_000);
const fate = fc.oneof(fc.constant('done' as const), fc.constantFrom(...fates));

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

const step = fc.oneof(
	often(48, fc.record({ do: a('order', 'ask'), ...asking })),
	often(32, fc.record({ do: a('key'), key: fc.constantFrom(...keys) })),
	often(24, fc.record({ do: a('comply') })),
	often(40, fc.record({ do: a('wait'), time: soon })),
	often(8, fc.record({ do: a('wait'), time: later })),
	often(4, fc.record({ do: a('jump'), by })),
	often(40, fc.record({ do: a('refresh', 'settle') })),
	often(20, fc.record({ do: a('remove', 'appear', 'appear', 'change'), place })),
	often(12, fc.record({ do: a('fate'), fate })),
	often(8, fc.record({ do: a('reach'), isReachable: fc.boolean() })),
	often(12, fc.record({ do: a('cancel', 'retry', 'forge'), place })),
	often(20, fc.record({ do: a('lock', 'unlock', 'unlock', 'unlock', 'touch') })),
	often(4, fc.record({ do: a('readOnly'), is: fc.constantFrom(true, false, false, false) })),
	often(1, fc.record({ do: a('quit') })),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function live(rig: Guarded, person: ReturnType<typeof createPerson>, each: Step) {
	const { clock, state, platform, operations, known } = rig;
	const at = (n: number) =>
		[...known().computers.keys()][n % Math.max(1, known().computers.size)] ?? 'sb_none';
	switch (each.do) {
		case 'ask':
			return person.ask(each.operation, each.places.map(at), { askedWith: 'x' });
		case 'key':
			return person.press(each.key);
		case 'order':
			person.ask(each.operation, each.places.map(at), { askedWith: 'x' });
			clock.move(400);
			return person.comply();
		case 'comply':
			return person.comply();
		case 'wait':
			return clock.move(each.time);
		case 'jump':
			state.ahead += each.by;
			return;
		case 'refresh':
			return rig.refresh();
		case 'settle':
			return platform.settle();
		case 'remove':
			platform.computers.delete(at(each.place));
			return;
		case 'appear':
			platform.add(names[each.place] ?? '');
			return;
		case 'change':
			return platform.change(at(each.place), each.place % 2 ? 'stopped' : 'active');
		case 'fate':
			return platform.setFate(each.fate);
		case 'reach':
			return platform.setReachable(each.isReachable);
		case 'cancel': {
			const waiting = operations.exitSummary().dropped;
			const wish = waiting[each.place % Math.max(1, waiting.length)];
			rig.cancel(wish ? { key: wish.key } : 'all');
			return;
		}
		case 'retry': {
			const { batches } = operations.state();
			const batch = batches[each.place % Math.max(1, batches.length)];
			if (batch) person.retry(batch.id);
			return;
		}
		case 'forge':
			return person.forge(each.place);
		case 'lock':
			state.isShut = true;
			return operations.lock();
		case 'unlock':
			state.isShut = false;
			state.activeAt = rig.wall.now();
			return operations.unlock();
		case 'touch':
			if (!operations.state().isLocked) state.activeAt = rig.wall.now();
			return operations.touch();
		case 'readOnly':
			state.isReadOnly = each.is;
			return;
		case 'quit':
			operations.quit();
			state.hasQuit = true;
	}
}

test('any keys, removals, lost answers and jumps of the clock: nothing is done that was not confirmed', async () => {
	const met = { steps: 0, deeds: 0, deletes: 0, creates: 0, resent: 0, afterQuit: 0 };
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 150, maxLength: 200 }), async steps => {
			const rig = openGuarded(met);
			const person = createPerson(rig);
			await rig.refresh();
			await flush();
			for (const each of steps) {
				met.steps += 1;
				if (rig.state.hasQuit) met.afterQuit += 1;
				await live(rig, person, each);
				await flush();
				expect(rig.problems).toEqual([]);
			}
			rig.operations.quit();
		}),
		runs(30),
	);
	expect(met.steps).toBeGreaterThanOrEqual(4_000);
	expect(met.deeds).toBeGreaterThan(50);
	expect(met.deletes).toBeGreaterThan(8);
	expect(met.creates).toBeGreaterThan(4);
	expect(met.resent).toBeGreaterThan(2);
	expect(met.afterQuit).toBeGreaterThan(50);
}, 60_000);
