import { beforeEach, describe, expect, test } from 'vitest';
import type { FailureKind } from '../../source/fleet/failure.ts';
import { createRig, type Rig } from './rig.ts';

const second = 1000;
const minute = 60 * second;

let rig: Rig;

beforeEach(() => {
	rig = createRig();
});

const types = () => rig.facts.map(({ type }) => type);

describe('a failure', () => {
	test('is told, and tried again ever more seldom, at last each minute', async () => {
		rig.fate = 'server';
		rig.watch.start();
		await rig.clock.live(30 * minute);
		const lists = rig.calls.filter(({ read }) => read === 'list').map(({ at }) => at);
		const gaps = lists.slice(1).map((at, place) => at - (lists[place] ?? 0));
		expect(gaps.slice(0, 3)).toEqual([1050, 2050, 4050]);
		expect(gaps.at(-1)).toBe(minute + 50);
		expect(rig.facts[0]).toMatchObject({ type: 'readFailed', failure: { kind: 'server' } });
	});

	test('tells when it is tried again', async () => {
		rig.fate = 'offline';
		rig.watch.start();
		const begin = rig.clock.now() - rig.clock.lived();
		await rig.clock.live(10 * minute);
		const tries = rig.calls.filter(({ read }) => read === 'list' || read === 'credits');
		const times = tries.map(({ at }) => begin + at).filter(at => at > begin + 10 * second);
		const told = rig.facts.map(fact => (fact.type === 'readFailed' ? fact.nextAt : undefined));
		expect(times.length).toBeGreaterThan(5);
		for (const at of times) expect(told).toContain(at);
	});

	test('because a computer is not there says so', async () => {
		rig.watch.start();
		await rig.clock.live(second);
		rig.fate = 'missing';
		await rig.clock.live(5 * second);
		expect(rig.facts).toContainEqual(expect.objectContaining({ type: 'computerMissed', id: 'a' }));
	});
});

describe('without a network', () => {
	const cutOff = async (kind: FailureKind) => {
		rig.watch.start();
		await rig.clock.live(10 * second);
		rig.fate = kind;
		await rig.clock.live(20 * minute);
		rig.calls.length = 0;
	};

	test('one request a minute is tried', async () => {
		await cutOff('offline');
		await rig.clock.live(10 * minute);
		expect(rig.calls.length).toBeGreaterThan(7);
		expect(rig.calls.length).toBeLessThan(12);
	});

	test('everything is asked as soon as one was answered', async () => {
		await cutOff('offline');
		rig.fate = undefined;
		await rig.clock.live(61 * second);
		const first = rig.calls[0]?.at ?? 0;
		const soon = rig.calls.filter(({ at }) => at < first + 200).map(({ read }) => read);
		expect(soon).toEqual(expect.arrayContaining(['list', 'credits', 'subscription', 'release']));
	});

	test('a person need not wait', async () => {
		await cutOff('offline');
		rig.fate = undefined;
		rig.watch.readNow();
		await rig.clock.live(200);
		expect(types().slice(-4)).toContain('listRead');
	});

	test('a refused sign-in is tried each five minutes, and at once when it was put right', async () => {
		await cutOff('auth');
		await rig.clock.live(20 * minute);
		expect(rig.calls.length).toBeLessThan(6);
		rig.fate = undefined;
		rig.calls.length = 0;
		rig.watch.signedInAgain();
		await rig.clock.live(200);
		expect(rig.calls.map(({ read }) => read)).toContain('list');
	});
});
