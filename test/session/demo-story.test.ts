import { expect, test } from 'vitest';
import { runwayOf } from '../../source/fleet/computers/runway.ts';
import { phaseSharesOf, phaseSpansOf } from '../../source/fleet/day-strip.ts';
import { fleetOfWorld } from '../../source/session/demo-fleet.ts';
import { factsFromStory, storyOfWorld } from '../../source/session/demo-story.ts';
import { statusBody } from '../../source/simulator/endpoints/encode-computer.ts';
import { defaultShapes } from '../../source/simulator/endpoints/shapes.ts';
import { createWorld, type World } from '../../source/simulator/world/world.ts';
import { changesOfComputer } from '../../source/store/change-log.ts';
import { fold } from '../../source/store/fold.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import { slotMs, usageCells } from '../../source/store/usage-history.ts';
import { usualCreationMs } from '../../source/wording/phrases/creation-text.ts';
import { createHeldClock } from '../held-clock.ts';

const hour = 3_600_000;
const owner = 'owner@example.com';

const answerContext = (world: World) => ({
	world,
	shapes: defaultShapes,
	now: world.now(),
	origin: 'http://127.0.0.1:1',
});

function open(computers = 24, seed = 1) {
	const clock = createHeldClock();
	const world = createWorld({ seed, computers, plan: 'pro', isLivedIn: true }, clock);
	const story = storyOfWorld(world, owner);
	const facts = factsFromStory(JSON.parse(JSON.stringify(story)), 'demo', clock.now()) ?? [];
	const list = {
		account: 'demo',
		at: clock.now(),
		type: 'listRead' as const,
		computers: world.computers().map(({ id, name, state: status }) => ({ id, name, status })),
	};
	const state = [list, ...facts].reduce(fold, emptyState);
	return { clock, world, story, facts, account: state.accounts.get('demo') ?? emptyAccount };
}

test('the demo opens with a week of changes, credits and samples behind it', () => {
	const { clock, account, world } = open();
	const now = clock.now();
	const [first] = account.changes;
	expect(now - (first?.at ?? now)).toBeGreaterThan(6 * 24 * hour);
	expect(account.changes.length).toBeGreaterThan(200);
	expect(account.changes.length).toBeLessThanOrEqual(1_000);
	expect(usualCreationMs(account.changes)).toBeGreaterThan(40_000);
	expect(runwayOf(account)?.burnPerHour).toBeGreaterThan(0);
	expect(account.changes.some(({ type }) => type === 'toppedUp')).toBe(true);
	const atlas = world.get('atlas').id;
	const cells = usageCells(account.usage, atlas, 'cpu', now, 8);
	expect(cells.filter(percent => percent !== undefined).length).toBeGreaterThan(5);
});

test('the demo opens in the middle of a story: creations, a failure, a computer asleep, and updates that wait', () => {
	const { world, clock, account } = open();
	const states = () => world.computers().map(({ state }) => state);
	expect(states().filter(state => state === 'provisioning')).toHaveLength(2);
	expect(world.get('draco')).toMatchObject({
		state: 'error',
		error: expect.stringContaining('quota'),
	});
	expect(world.get('cygnus')).toMatchObject({ state: 'stopped', stoppedBy: 'idleness' });
	const latest = world.releases().at(-1)?.version;
	expect(
		world.computers().filter(({ version }) => version !== null && version !== latest),
	).toHaveLength(3);
	const others = account.changes.flatMap(change =>
		change.type === 'operationMoved' && change.to === 'settled' && change.who !== owner
			? [change.wish.name]
			: [],
	);
	expect(others.toSorted()).toEqual(['gemini', 'jabbah', 'mira', 'sirius']);
	expect(world.balance().total).toBeGreaterThan(5);
	clock.move(20_000);
	expect(
		states().filter(state => state === 'provisioning'),
		'a creation ends',
	).toHaveLength(1);
});

test('the machine of one computer of the demo does not answer, so its data is old until a restart', () => {
	const { world } = open();
	const unuk = world.get('unuk');
	const saved = fleetOfWorld(world)?.computers.find(({ reading }) => reading.id === unuk.id);
	expect(world.now() - (saved?.seenAt ?? 0)).toBe(9 * 60_000);
	const encoded = () => JSON.parse(JSON.stringify(statusBody(answerContext(world), unuk)));
	expect(encoded()).not.toHaveProperty('status');
	world.operate('restart', unuk);
	expect(encoded()).toHaveProperty('status', 'restarting');
});

test('the history of each computer of the demo ends in the state that the platform reports', () => {
	const { world, account, clock } = open();
	for (const { id, state, name, stateSince } of world.computers()) {
		const changes = changesOfComputer(account, id).filter(
			change => change.type === 'statusChanged',
		);
		if (changes.length === 0) continue;
		expect(changes.at(-1)?.to, name).toBe(state);
		expect(Math.abs((changes.at(-1)?.at ?? 0) - stateSince), name).toBeLessThan(3_000);
	}
	const draco = phaseSpansOf(changesOfComputer(account, world.get('draco').id), clock.now(), 24);
	expect(phaseSharesOf(draco).shares.has('error')).toBe(true);
});

test('the log of a large demo says of a computer that it sleeps only if its row says so, and every active row has 30 minutes of usage', () => {
	const { world, account, clock } = open(1000);
	const reasons = new Set<string>();
	for (const { id, name, state, stoppedBy } of world.computers()) {
		const last = changesOfComputer(account, id).findLast(({ type }) => type === 'statusChanged');
		if (state === 'stopped' && last?.type === 'statusChanged') {
			expect(last.reason === 'asleep', name).toBe(stoppedBy === 'idleness');
			reasons.add(String(stoppedBy));
		}
	}
	expect([...reasons].sort()).toEqual(['idleness', 'owner']);
	const longActive = world
		.computers()
		.filter(({ state, startedAt }) => state === 'active' && clock.now() - (startedAt ?? 0) > hour);
	const cellCounts = longActive.map(
		({ id }) =>
			usageCells(account.usage, id, 'cpu', clock.now(), 8).filter(each => each !== undefined)
				.length,
	);
	expect(cellCounts.length).toBeGreaterThan(500);
	expect(Math.min(...cellCounts)).toBeGreaterThan(4);
});

test('the same seed gives the same story, and another seed gives another story', () => {
	expect(open().story).toEqual(open().story);
	expect(open(24, 2).story).not.toEqual(open().story);
});

test('a large or an empty demo has a story of bounded size', () => {
	const { world, story } = open(2_000);
	expect(world.computers()).toHaveLength(2_000);
	expect(JSON.stringify(story).length).toBeLessThan(500_000);
	expect(open(0).account.changes.map(({ type }) => type)).toEqual(['released', 'toppedUp']);
	expect(open(1).world.computers()).toHaveLength(1);
});

test('the demo shows at once since when each computer has been asleep', () => {
	const { world } = open();
	const fleet = factsFromStory(fleetOfWorld(world), 'demo', world.now()) ?? [];
	const account = fleet.reduce(fold, emptyState).accounts.get('demo') ?? emptyAccount;
	const cygnus = world.get('cygnus');
	expect(account.computers.get(cygnus.id)).toMatchObject({
		stopReason: 'asleep',
		since: { at: cygnus.stateSince, isLowerBound: false },
	});
	expect(account.computers.size).toBe(24);
});

test('a new world has no past, and a message of another kind is not read as a story', () => {
	const clock = createHeldClock();
	const world = createWorld({ seed: 1, computers: 3, plan: 'pro' }, clock);
	expect(storyOfWorld(world, owner)).toBeUndefined();
	expect(fleetOfWorld(world)).toBeUndefined();
	expect(factsFromStory('listening', 'demo', 0)).toBeUndefined();
	expect(factsFromStory({ type: 'story', changes: [1], credits: [] }, 'demo', 0)).toBeUndefined();
});

test('a demo with many computers knows all of them, every failure of the week, and what they spend', () => {
	const { world, account } = open(300);
	const known = new Set(fleetOfWorld(world)?.computers.map(({ reading }) => reading.id));
	const unknown = world.computers().filter(({ id }) => !known.has(id));
	// Those that are being created are not new either: they were there before anybody looked.
	expect(unknown).toEqual([]);

	const weekAgo = world.now() - 7 * 24 * hour;
	const failed = world
		.computers()
		.filter(({ state, stateSince }) => state === 'error' && stateSince > weekAgo);
	expect(failed.length).toBeGreaterThan(1);
	const loggedFailures = account.changes.flatMap(change =>
		change.type === 'statusChanged' && change.to === 'error' ? [change.id] : [],
	);
	expect(loggedFailures.toSorted()).toEqual(failed.map(({ id }) => id).toSorted());

	const active = world.computers().filter(({ state }) => state === 'active').length;
	const burnPerComputer = (runwayOf(account)?.burnPerHour ?? 0) / active;
	expect(burnPerComputer).toBeCloseTo(0.05, 2);
	const newest = account.samples.at(-1)?.balance ?? 0;
	expect(Math.abs(newest - world.balance().total)).toBeLessThan(2);
});

test('a computer of a large demo falls asleep within hours of its last start, none has been active for months, and none is new but those of the week', () => {
	const { world, account } = open(1000);
	const now = world.now();
	const stops = account.changes.flatMap(change => {
		if (change.type !== 'statusChanged' || change.from !== 'active') return [];
		return [{ reason: change.reason, lastedMs: change.lasted ?? 0 }];
	});
	const longest = (of: typeof stops) => Math.max(...of.map(({ lastedMs }) => lastedMs));
	const sleeps = stops.filter(({ reason }) => reason === 'asleep');
	expect(sleeps.length).toBeGreaterThan(100);
	expect(longest(sleeps)).toBeLessThan(4 * hour);
	expect(longest(stops)).toBeLessThan(17 * 24 * hour);
	const createdThisWeek = new Set(
		world.computers().flatMap(({ id, createdAt }) => (createdAt > now - 7 * 24 * hour ? [id] : [])),
	);
	const newOnes = account.changes.flatMap(change =>
		change.type === 'statusChanged' && change.from === null ? [change.id] : [],
	);
	expect(newOnes.filter(id => !createdThisWeek.has(id))).toEqual([]);
	const active = world.computers().filter(({ state }) => state === 'active');
	const uptimes = active.map(({ startedAt }) => now - (startedAt ?? now));
	expect(Math.max(...uptimes)).toBeLessThan(17 * 24 * hour);
});

test('the usage of the demo has no gap before the first read, in whatever part of a slot the demo opens', () => {
	const { world, account } = open();
	const atlas = world.get('atlas').id;
	expect(account.usage.lastSlot).toBe(Math.floor(world.now() / slotMs));
	expect(usageCells(account.usage, atlas, 'cpu', world.now(), 40)).not.toContain(undefined);
});
