import { expect, onTestFinished, test } from 'vitest';
import { runwayOf } from '../../source/fleet/computers/runway.ts';
import { fleetFact, pastFacts, startDemo } from '../../source/session/demo.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { changesOfComputer } from '../../source/store/change-log.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import { fold } from '../../source/store/store.ts';
import { quietSince, usageCells } from '../../source/store/usage-history.ts';
import { usualCreationMs } from '../../source/views/phrases/creation.ts';
import { createTestHost } from '../cli/host.ts';
import { createHeldClock } from '../held-clock.ts';

const hour = 3_600_000;
const owner = 'owner@example.com';

async function open(computers = 24, seed = 1) {
	const clock = createHeldClock();
	const simulator = await createSimulator({ seed, computers, clock, isLivedIn: true });
	onTestFinished(simulator.close);
	const { world } = simulator;
	const list = {
		account: 'demo',
		at: clock.now(),
		type: 'listRead' as const,
		computers: world.computers().map(({ id, name, state: status }) => ({ id, name, status })),
	};
	const story = pastFacts(simulator, 'demo');
	const state = [list, ...story].reduce(fold, emptyState);
	const fleet = fleetFact(simulator, 'demo');
	const saved = (fleet.type === 'recalled' && fleet.computers) || [];
	const account = state.accounts.get('demo') ?? emptyAccount;
	return { clock, simulator, world, story, fleet, saved, account };
}

test('the demo opens with a week of changes, credits and samples behind it', async () => {
	const { clock, account, world } = await open();
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

test('the demo opens in the middle of a story: creations, a failure, a computer asleep, and updates that wait', async () => {
	const { world, clock, account } = await open();
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

test('the demo opens with computers that have been idle for more than an hour', async () => {
	const { clock, world, account } = await open();
	for (const name of ['jabbah', 'quaoar']) {
		const since = quietSince(account.usage, world.get(name).id, clock.now());
		expect(clock.now() - (since ?? clock.now()), name).toBeGreaterThan(1.5 * hour);
	}
});

test('the machine of one computer of the demo does not answer, so its data is old until a restart', async () => {
	const { world, saved } = await open();
	const unuk = world.get('unuk');
	const kept = saved.find(({ reading }) => reading.id === unuk.id);
	expect(world.now() - (kept?.seenAt ?? 0)).toBe(9 * 60_000);
	expect(unuk.unreachableSince).toBe(kept?.seenAt);
	world.operate('restart', unuk);
	expect(unuk.unreachableSince).toBeUndefined();
});

test('the history of each computer of the demo ends in the state that the platform reports', async () => {
	const { world, account } = await open();
	for (const { id, state, name, stateSince } of world.computers()) {
		const changes = changesOfComputer(account, id).filter(
			change => change.type === 'statusChanged',
		);
		if (changes.length === 0) continue;
		expect(changes.at(-1)?.to, name).toBe(state);
		expect(Math.abs((changes.at(-1)?.at ?? 0) - stateSince), name).toBeLessThan(3_000);
	}
	const draco = changesOfComputer(account, world.get('draco').id);
	expect(draco.some(change => change.type === 'statusChanged' && change.to === 'error')).toBe(true);
});

test('a large or an empty demo has a story of bounded size', async () => {
	const { world, story } = await open(2_000);
	expect(world.computers()).toHaveLength(2_000);
	expect(JSON.stringify(story).length).toBeLessThan(1_000_000);
	expect((await open(0)).account.changes.map(({ type }) => type)).toEqual(['released']);
	expect((await open(1)).world.computers()).toHaveLength(1);
});

test('the demo of the monitor shows its fleet at once, tells its week, and answers', async () => {
	const { host } = createTestHost();
	const demo = await startDemo(host, { speed: 1, computers: 7 });
	expect(demo.fleet).toMatchObject({ type: 'recalled' });
	expect(demo.past()).toMatchObject([{ type: 'recalled', usage: {} }]);
	expect((await fetch(`${demo.baseUrl}/models`)).status).toBe(401);
	await demo.close();
	await expect(fetch(`${demo.baseUrl}/models`)).rejects.toThrow();
});

test('a wrong option of the demo is reported before the screen is taken and anything is started', async () => {
	const { ran, output } = createTestHost();
	const { code, err } = await ran('--demo', '--plan', 'gold');
	expect(code).toBe(2);
	expect(err).toContain('It takes free, pro, power, ultra');
	expect(output()).not.toContain('\u001B[?1049h');
});
