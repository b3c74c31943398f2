import { beforeEach, expect, test } from 'vitest';
import { createRig, type Rig } from './rig.ts';

const second = 1000;
const minute = 60 * second;

let rig: Rig;

beforeEach(() => {
	rig = createRig();
});

const types = () => rig.facts.map(({ type }) => type);

test('it begins with everything, and goes on', async () => {
	rig.watch.start();
	await rig.clock.live(2 * minute - second);
	expect(new Set(types().slice(0, 4))).toEqual(
		new Set(['listRead', 'creditsRead', 'subscriptionRead', 'releaseRead']),
	);
	expect(rig.count('list')).toBeGreaterThan(30);
	expect(rig.count('status a')).toBeGreaterThan(30);
	expect(rig.count('credits')).toBe(2);
	expect(rig.count('subscription')).toBe(1);
});

test('a fact tells when it was asked for and when it came', async () => {
	rig.watch.start();
	const now = rig.clock.now();
	await rig.clock.live(second);
	expect(rig.facts[0]).toMatchObject({ account: 'one', askedAt: now, at: now + 50 });
});

test('stopping calls off what is under way, and nothing is told or asked after it', async () => {
	rig.watch.start();
	await rig.clock.live(20);
	rig.watch.stop();
	const before = rig.calls.length;
	expect(rig.calls.every(({ signal }) => signal.aborted)).toBe(true);
	await rig.clock.live(minute);
	expect(rig.calls).toHaveLength(before);
	expect(rig.facts).toEqual([]);
	rig.watch.wake();
	rig.watch.readNow();
	await rig.clock.live(minute);
	expect(rig.calls).toHaveLength(before);
});

test('nothing is asked twice while it is under way', async () => {
	rig.fate = 'hang';
	rig.watch.start();
	rig.watch.readNow();
	await rig.clock.live(second);
	rig.watch.readNow({ name: 'list' });
	await rig.clock.live(10 * minute);
	expect(rig.count('list')).toBe(1);
	expect(rig.count('credits')).toBe(1);
});

test('a sleep calls off what was under way, and everything is asked at once', async () => {
	rig.watch.start();
	await rig.clock.live(10 * second);
	rig.fate = 'hang';
	await rig.clock.live(3 * second);
	const hung = rig.calls.at(-1);
	rig.fate = undefined;
	rig.calls.length = 0;
	rig.clock.sleep(60 * minute);
	await rig.clock.live(6 * second);
	expect(hung?.signal.aborted).toBe(true);
	const woken = rig.calls.slice(0, 4).map(({ read }) => read);
	expect(woken.sort()).toEqual(['credits', 'list', 'release', 'subscription']);
});

test('a clock that is put back does not stop it', async () => {
	rig.watch.start();
	await rig.clock.live(10 * second);
	rig.clock.adjust(-60 * minute);
	rig.calls.length = 0;
	await rig.clock.live(minute);
	expect(rig.count('list')).toBeGreaterThan(15);
});

test('it slows down while nobody looks, and is quick again at once', async () => {
	rig.watch.start();
	await rig.clock.live(5 * minute);
	rig.watch.setAttention({ visible: new Set(), focused: false });
	rig.calls.length = 0;
	await rig.clock.live(5 * minute);
	expect(rig.count('list')).toBeGreaterThan(15);
	expect(rig.count('list')).toBeLessThan(22);
	rig.calls.length = 0;
	rig.watch.setAttention({ visible: new Set(), focused: true });
	await rig.clock.live(3 * second);
	expect(rig.count('list')).toBeGreaterThan(0);
});

test('one thing alone is read when a person asks for it', async () => {
	rig.watch.start();
	await rig.clock.live(5 * second);
	expect(rig.count('models')).toBe(0);
	rig.watch.readNow({ name: 'models' });
	await rig.clock.live(100);
	expect(rig.count('models')).toBe(1);
	await rig.clock.live(minute);
	expect(rig.count('models')).toBe(1);
});

test('what becomes urgent is asked about as soon as it is told of', async () => {
	rig.watch.start();
	await rig.clock.live(minute);
	rig.fleet = { ...rig.fleet, computers: [{ id: 'b', urgentSince: rig.clock.now() }] };
	rig.watch.wake();
	await rig.clock.live(100);
	expect(rig.count('status b')).toBe(1);
	await rig.clock.live(30 * second);
	expect(rig.count('status b')).toBe(11);
});
