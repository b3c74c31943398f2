import { expect, test } from 'vitest';
import { openOperationWorld, type World } from './operation-world.ts';

// Every order in which events can come upon one operation, and upon two, with the real operations on a held clock and a
// model of the platform. Two orders that lead to equal worlds are followed only once. After each event the world checks
// what may never happen, in `operation-world.ts`.

const isLong = process.env['CROWSNEST_LONG'] !== undefined;

type Phase = ReturnType<World['openRequests']>[number]['phase'];

/** An event happens only if a request is in one of the phases, if there are any. */
type Event = { name: string; phases?: readonly Phase[]; happens: (world: World) => boolean };

const always = (name: string, act: (world: World) => void): Event => ({
	name,
	happens(world) {
		act(world);
		return true;
	},
});

const second = 1_000;

/** What a person, the machine, other processes and the platform may do at any time. */
const events: readonly Event[] = [
	{ name: 'ask', happens: world => world.ask() },
	{ name: 'answer', happens: world => world.answer() },
	always('Esc', world => world.escape()),
	always('x on top of the log', world => world.cancelAll()),
	always('a dialog opens', world => world.hold('dialog')),
	always('the quit dialog opens', world => world.hold('quit')),
	always('Ctrl-Z', world => world.hold('suspended')),
	always('what was open closes', world => world.hold(undefined)),
	always('lock', world => world.operations.lock()),
	always('unlock', world => world.operations.unlock()),
	always('sign out', world => world.operations.cancel({ account: 'owner' })),
	always('close the account', world => world.closeAccount()),
	always('quit', world => world.quit()),
	always('four seconds', world => world.pass(4 * second)),
	always('ten minutes', world => world.pass(601 * second)),
	always('the machine sleeps', world => world.sleep(12 * second)),
	always('the process is stopped for five seconds', world => {
		world.pass(second);
		world.sleep(5 * second);
	}),
	always('the clock is set', world => world.clock.jump(5 * second)),
	always('the computer is gone', world => world.list([])),
	always('the computer stops', world => world.read('stopped')),
	always('a read shows the change', world => world.showChange()),
	always('another process sends', world => world.otherSends()),
	{ name: 'a slot is free', phases: ['waits'], happens: world => world.leave() },
	{ name: 'accepted', phases: ['has left'], happens: world => world.respond('accepted') },
	{ name: 'refused', phases: ['has left'], happens: world => world.respond('refused') },
	{ name: '429', phases: ['has left'], happens: world => world.respond('limited') },
	{ name: '401', phases: ['has left'], happens: world => world.respond('unauthorized') },
	{ name: 'no response', phases: ['has left'], happens: world => world.respond('lost') },
	{ name: 'signed in', phases: ['signs in', 'waits'], happens: world => world.signIn(true) },
	{
		name: 'the sign-in is refused',
		phases: ['signs in', 'waits'],
		happens: world => world.signIn(false),
	},
];

type Start = { operations: readonly string[]; before: readonly string[] };

/** Lets an event happen, if it can, and checks the world after it. */
async function occurs(world: World, { name, phases, happens }: Event): Promise<boolean> {
	const isPossible =
		!phases || world.openRequests().some(request => phases.includes(request.phase));
	if (!isPossible || !happens(world)) return false;
	await world.settle();
	world.check(name);
	return true;
}

async function reach({ operations, before }: Start, order: readonly Event[]): Promise<World> {
	const world = openOperationWorld(operations);
	await world.settle();
	for (const event of [...before.map(eventNamed), ...order]) await occurs(world, event);
	return world;
}

function eventNamed(name: string): Event {
	const event = events.find(each => each.name === name);
	if (!event) throw new Error(`there is no event ${name}`);
	return event;
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
			for (const event of events) {
				if (!isAtStart) world = await reach(start, order);
				isAtStart = true;
				if (!(await occurs(world, event))) continue;
				const picture = world.picture();
				if (world.problems.length > 0) {
					const names = [...start.before, ...[...order, event].map(({ name }) => name)];
					throw new Error(`${names.join(', ')}: ${world.problems.join('; ')}\n${picture}`);
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
const counted = ['answer', 'four seconds'];
const sent = [...counted, 'a slot is free'];

test.each<[string, Start, number]>([
	['that counts down', { operations: ['restart'], before: [] }, one],
	['that was sent', { operations: ['restart'], before: sent }, later],
	['whose token was refused', { operations: ['restart'], before: [...sent, '401'] }, later],
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
	[
		'on one computer',
		{ operations: ['restart', 'stop on the same'], before: [...sent, 'ten minutes'] },
	],
	['that create', { operations: ['create', 'create'], before: ['answer', 'answer'] }],
])('two operations %s keep their order and their rules, whatever comes', async (_, start) => {
	expect(await explore(start, two)).toBeGreaterThan(20);
});
