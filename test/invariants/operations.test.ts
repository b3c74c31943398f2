import { expect, test } from 'vitest';
import { second } from '../durations.ts';
import { openOperationWorld, type World } from './operation-world.ts';

// Every order in which events can come upon one operation, and upon two, with the real operations on a held clock and a
// model of the platform. Two orders that lead to equal worlds are followed only once. After each event the world checks
// what may never happen, in `operation-world.ts`.

const isLong = process.env['CROWSNEST_LONG'] !== undefined;

/**
 * What a person, the machine, other processes and the platform may do at any time. It returns false if it cannot happen
 * now.
 */
const events = {
	ask: world => world.ask(),
	answer: world => world.answer(),
	Esc: world => world.escape(),
	'x on top of the log': world => world.cancelAll(),
	'a dialog opens': world => world.hold('dialog'),
	'the quit dialog opens': world => world.hold('quit'),
	'Ctrl-Z': world => world.hold('suspended'),
	'what was open closes': world => world.hold(undefined),
	lock: world => world.operations.lock(),
	unlock: world => world.operations.unlock(),
	'sign out': world => world.operations.cancel({ account: 'owner' }),
	'close the account': world => world.closeAccount(),
	quit: world => world.quit(),
	'four seconds': world => world.clock.move(4 * second),
	'a minute and a half': world => world.clock.move(92 * second),
	'ten minutes': world => world.clock.move(601 * second),
	'the machine sleeps': world => world.sleep(12 * second),
	'the process is stopped for five seconds'(world) {
		world.clock.move(second);
		world.sleep(5 * second);
	},
	'the clock is set': world => world.clock.jump(5 * second),
	'the computer is gone': world => world.clear(),
	'the computer stops': world => world.read('stopped'),
	'a read shows the change': world => world.showChange(),
	'another process sends': world => world.otherSends(),
	'a slot is free': world => world.leave(),
	accepted: world => world.accept(),
	refused: world => world.refuse('conflict', 'already in progress', 409),
	'a 429': world => world.refuse('limited', 'too many requests', 429),
	'a 401': world => world.refuseToken(),
	'no response': world => world.loseResponse(),
	'signed in': world => world.signIn(true),
	'the sign-in is refused': world => world.signIn(false),
} satisfies Record<string, (world: World) => unknown>;

type Event = keyof typeof events;

type Start = { operations: readonly string[]; before: readonly Event[] };

/** Lets an event happen, if it can. */
async function occurs(world: World, event: Event): Promise<boolean> {
	const hasHappened: unknown = events[event](world);
	if (hasHappened !== false) await world.settle();
	return hasHappened !== false;
}

async function reach({ operations, before }: Start, order: readonly Event[]): Promise<World> {
	const world = openOperationWorld(operations);
	await world.settle();
	for (const event of [...before, ...order]) await occurs(world, event);
	return world;
}

/** How far the events after each world were followed. */
const followed = new Map<string, number>();

/** Follows every order of events up to a depth, and returns how many worlds it has found. */
async function explore(start: Start, depth: number): Promise<number> {
	const seen = new Set<string>();
	let orders: readonly (readonly Event[])[] = [[]];
	for (let left = depth; left > 0; left -= 1) {
		const next: (readonly Event[])[] = [];
		for (const order of orders) {
			let world = await reach(start, order);
			const before = world.picture();
			seen.add(before);
			let isAtStart = true;
			for (const event of Object.keys(events) as Event[]) {
				if (!isAtStart) world = await reach(start, order);
				isAtStart = true;
				if (!(await occurs(world, event))) continue;
				world.check(event);
				const picture = world.picture();
				if (world.problems.length > 0) {
					const names = [...start.before, ...order, event].join(', ');
					throw new Error(`${names}: ${world.problems.join('; ')}\n${picture}`);
				}
				// What changed nothing leaves the world for the next event.
				if (picture === before) continue;
				isAtStart = false;
				if (seen.has(picture)) continue;
				seen.add(picture);
				if ((followed.get(picture) ?? -1) >= left - 1) continue;
				followed.set(picture, left - 1);
				next.push([...order, event]);
			}
		}
		orders = next;
	}
	return seen.size;
}

const one = isLong ? 5 : 4;
const two = isLong ? 4 : 3;
const later = isLong ? 4 : 2;
const sent: readonly Event[] = ['answer', 'four seconds', 'a slot is free'];
/** A restart is overdue then, so that another operation may be asked for. */
const overdue: readonly Event[] = [...sent, 'a minute and a half'];

test.each<[string, Start, number]>([
	['that counts down', { operations: ['restart'], before: [] }, one],
	['that was sent', { operations: ['restart'], before: sent }, later],
	['whose token was refused', { operations: ['restart'], before: [...sent, 'a 401'] }, later],
	[
		'whose response was lost',
		{ operations: ['restart'], before: [...sent, 'no response'] },
		one - 2,
	],
	['that is sent at once', { operations: ['stop'], before: ['answer'] }, later],
	['that creates', { operations: ['create'], before: ['answer', 'a slot is free'] }, later],
])(
	'an operation %s is never sent unasked, twice or after its end, whatever comes',
	async (_, start, depth) => {
		expect(await explore(start, depth)).toBeGreaterThan(20);
	},
);

test.each<[string, Start]>([
	['on two computers', { operations: ['restart', 'stop'], before: ['answer', 'answer'] }],
	['on one computer', { operations: ['restart', 'stop on the same'], before: overdue }],
	['that create', { operations: ['create', 'create'], before: ['answer', 'answer'] }],
])('two operations %s keep their order and their rules, whatever comes', async (_, start) => {
	expect(await explore(start, two)).toBeGreaterThan(20);
});
