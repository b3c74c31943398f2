import { beforeEach, describe, expect, test } from 'vitest';
import type { FailureKind } from '../../source/fleet/failure.ts';
import { type OpenWatch, openWatch } from './open-watch.ts';

const second = 1000;
const minute = 60 * second;

let setup: OpenWatch;

beforeEach(() => {
	setup = openWatch();
});

const types = () => setup.facts.map(({ type }) => type);

describe('a failure', () => {
	test('is told, and tried again ever more seldom, at last each minute', async () => {
		setup.requestFate = 'server';
		setup.watch.start();
		await setup.clock.live(30 * minute);
		const lists = setup.calls.filter(({ read }) => read === 'list').map(({ at }) => at);
		const gaps = lists.slice(1).map((at, place) => at - (lists[place] ?? 0));
		expect(gaps.slice(0, 3)).toEqual([1050, 2050, 4050]);
		expect(gaps.at(-1)).toBe(minute + 50);
		expect(setup.facts[0]).toMatchObject({ type: 'readFailed', failure: { kind: 'server' } });
	});

	test('tells when it is tried again', async () => {
		setup.requestFate = 'offline';
		setup.watch.start();
		const begin = setup.clock.now() - setup.clock.lived();
		await setup.clock.live(10 * minute);
		const tries = setup.calls.filter(({ read }) => read === 'list' || read === 'credits');
		const times = tries.map(({ at }) => begin + at).filter(at => at > begin + 10 * second);
		const told = setup.facts.map(fact => (fact.type === 'readFailed' ? fact.nextAt : undefined));
		expect(times.length).toBeGreaterThan(5);
		for (const at of times) expect(told).toContain(at);
	});

	test('because a computer is not there says so', async () => {
		setup.watch.start();
		await setup.clock.live(second);
		setup.requestFate = 'missing';
		await setup.clock.live(5 * second);
		expect(setup.facts).toContainEqual(
			expect.objectContaining({ type: 'computerMissed', id: 'a' }),
		);
	});
});

describe('without a network', () => {
	const cutOff = async (kind: FailureKind) => {
		setup.watch.start();
		await setup.clock.live(10 * second);
		setup.requestFate = kind;
		await setup.clock.live(20 * minute);
		setup.calls.length = 0;
	};

	test('one request a minute is tried', async () => {
		await cutOff('offline');
		await setup.clock.live(10 * minute);
		expect(setup.calls.length).toBeGreaterThan(7);
		expect(setup.calls.length).toBeLessThan(12);
	});

	test('everything is asked as soon as one was answered', async () => {
		await cutOff('offline');
		setup.requestFate = undefined;
		await setup.clock.live(61 * second);
		const first = setup.calls[0]?.at ?? 0;
		const soon = setup.calls.filter(({ at }) => at < first + 200).map(({ read }) => read);
		expect(soon).toEqual(expect.arrayContaining(['list', 'credits', 'subscription', 'release']));
	});

	test('a person need not wait', async () => {
		await cutOff('offline');
		setup.requestFate = undefined;
		setup.watch.readNow();
		await setup.clock.live(200);
		expect(types().slice(-4)).toContain('listRead');
	});

	test('a refused sign-in is tried each five minutes, and at once when it was put right', async () => {
		await cutOff('auth');
		await setup.clock.live(20 * minute);
		expect(setup.calls.length).toBeLessThan(6);
		setup.requestFate = undefined;
		setup.calls.length = 0;
		setup.watch.signedInAgain();
		await setup.clock.live(200);
		expect(setup.calls.map(({ read }) => read)).toContain('list');
	});
});
