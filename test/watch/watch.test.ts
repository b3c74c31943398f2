import { beforeEach, expect, test } from 'vitest';
import { type OpenWatch, openWatch } from './open-watch.ts';

const second = 1000;
const minute = 60 * second;

let setup: OpenWatch;

beforeEach(() => {
	setup = openWatch();
});

const types = () => setup.facts.map(({ type }) => type);

test('it begins with everything, and goes on', async () => {
	setup.watch.start();
	await setup.clock.live(2 * minute - second);
	expect(new Set(types().slice(0, 4))).toEqual(
		new Set(['listRead', 'creditsRead', 'subscriptionRead', 'releaseRead']),
	);
	expect(setup.count('list')).toBeGreaterThan(30);
	expect(setup.count('status a')).toBeGreaterThan(30);
	expect(setup.count('credits')).toBe(2);
	expect(setup.count('subscription')).toBe(1);
});

test('a fact tells when it was asked for and when it came', async () => {
	setup.watch.start();
	const now = setup.clock.now();
	await setup.clock.live(second);
	expect(setup.facts[0]).toMatchObject({ account: 'one', askedAt: now, at: now + 50 });
});

test('stopping calls off what is under way, and nothing is told or asked after it', async () => {
	setup.watch.start();
	await setup.clock.live(20);
	setup.watch.stop();
	const before = setup.calls.length;
	expect(setup.calls.every(({ signal }) => signal.aborted)).toBe(true);
	await setup.clock.live(minute);
	expect(setup.calls).toHaveLength(before);
	expect(setup.facts).toEqual([]);
	setup.watch.wake();
	setup.watch.readNow();
	await setup.clock.live(minute);
	expect(setup.calls).toHaveLength(before);
});

test('nothing is asked twice while it is under way', async () => {
	setup.requestFate = 'hang';
	setup.watch.start();
	setup.watch.readNow();
	await setup.clock.live(second);
	setup.watch.readNow({ name: 'list' });
	await setup.clock.live(10 * minute);
	expect(setup.count('list')).toBe(1);
	expect(setup.count('credits')).toBe(1);
});

test('a sleep calls off what was under way, and everything is asked at once', async () => {
	setup.watch.start();
	await setup.clock.live(10 * second);
	setup.requestFate = 'hang';
	await setup.clock.live(3 * second);
	const hung = setup.calls.at(-1);
	setup.requestFate = undefined;
	setup.calls.length = 0;
	setup.clock.sleep(60 * minute);
	await setup.clock.live(6 * second);
	expect(hung?.signal.aborted).toBe(true);
	const woken = setup.calls.slice(0, 4).map(({ read }) => read);
	expect(woken.sort()).toEqual(['credits', 'list', 'release', 'subscription']);
});

test('a clock that is put back does not stop it', async () => {
	setup.watch.start();
	await setup.clock.live(10 * second);
	setup.clock.adjust(-60 * minute);
	setup.calls.length = 0;
	await setup.clock.live(minute);
	expect(setup.count('list')).toBeGreaterThan(15);
});

test('it slows down while nobody looks, and is quick again at once', async () => {
	setup.watch.start();
	await setup.clock.live(5 * minute);
	setup.watch.setAttention({ visible: new Set(), focused: false });
	setup.calls.length = 0;
	await setup.clock.live(5 * minute);
	expect(setup.count('list')).toBeGreaterThan(15);
	expect(setup.count('list')).toBeLessThan(22);
	setup.calls.length = 0;
	setup.watch.setAttention({ visible: new Set(), focused: true });
	await setup.clock.live(3 * second);
	expect(setup.count('list')).toBeGreaterThan(0);
});

test('one thing alone is read when a person asks for it', async () => {
	setup.watch.start();
	await setup.clock.live(5 * second);
	expect(setup.count('models')).toBe(0);
	setup.watch.readNow({ name: 'models' });
	await setup.clock.live(100);
	expect(setup.count('models')).toBe(1);
	await setup.clock.live(minute);
	expect(setup.count('models')).toBe(1);
});

test('what becomes urgent is asked about as soon as it is told of', async () => {
	setup.watch.start();
	await setup.clock.live(minute);
	setup.fleet = { ...setup.fleet, computers: [{ id: 'b', urgentSince: setup.clock.now() }] };
	setup.watch.wake();
	await setup.clock.live(100);
	expect(setup.count('status b')).toBe(1);
	await setup.clock.live(30 * second);
	expect(setup.count('status b')).toBe(11);
});
