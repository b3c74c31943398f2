import { beforeEach, describe, expect, test } from 'vitest';
import type { FailureKind } from '../../source/foundation/failure.ts';
import { type OpenWatch, openWatch } from './open-watch.ts';

const second = 1000;
const minute = 60 * second;

let setup: OpenWatch;

beforeEach(() => {
	setup = openWatch();
});

const types = () => setup.facts.map(({ type }) => type);

describe('a failing read', () => {
	test('is reported, and tried less and less often, down to once a minute', async () => {
		setup.requestFate = 'server';
		setup.watch.start();
		await setup.clock.live(30 * minute);
		const lists = setup.calls.filter(({ read }) => read === 'list').map(({ at }) => at);
		const gaps = lists.slice(1).map((at, place) => at - (lists[place] ?? 0));
		expect(gaps.slice(0, 3)).toEqual([1050, 2050, 4050]);
		expect(gaps.at(-1)).toBe(minute + 50);
		expect(setup.facts[0]).toMatchObject({ type: 'readFailed', failure: { kind: 'server' } });
	});

	test('is reported with the time of the next try', async () => {
		setup.requestFate = 'offline';
		setup.watch.start();
		const begin = setup.clock.now() - setup.clock.lived();
		await setup.clock.live(10 * minute);
		const tries = setup.calls.filter(({ read }) => read === 'list' || read === 'credits');
		const times = tries.map(({ at }) => begin + at).filter(at => at > begin + 10 * second);
		const announced = setup.facts.map(fact =>
			fact.type === 'readFailed' ? fact.nextAt : undefined,
		);
		expect(times.length).toBeGreaterThan(5);
		for (const at of times) expect(announced).toContain(at);
	});

	test('is reported as a missing computer when the platform does not find the computer', async () => {
		setup.watch.start();
		await setup.clock.live(second);
		setup.requestFate = 'missing';
		setup.watch.readNow([{ name: 'detail', id: 'a' }]);
		await setup.clock.live(5 * second);
		expect(setup.facts).toContainEqual(
			expect.objectContaining({
				type: 'computerRead',
				read: 'status',
				computer: { id: 'a' },
				isMissing: true,
			}),
		);
	});
});

describe('an outage', () => {
	const cutOff = async (kind: FailureKind) => {
		setup.watch.start();
		await setup.clock.live(10 * second);
		setup.requestFate = kind;
		await setup.clock.live(20 * minute);
		setup.calls.length = 0;
	};

	test('reduces polling to about one request a minute', async () => {
		await cutOff('offline');
		await setup.clock.live(10 * minute);
		expect(setup.calls.length).toBeGreaterThan(7);
		expect(setup.calls.length).toBeLessThan(12);
	});

	test('ends with the first answer, and then everything is read at once', async () => {
		await cutOff('offline');
		setup.requestFate = undefined;
		await setup.clock.live(61 * second);
		const first = setup.calls[0]?.at ?? 0;
		const soon = setup.calls.filter(({ at }) => at < first + 2000).map(({ read }) => read);
		expect(soon).toEqual(expect.arrayContaining(['list', 'credits', 'subscription', 'release']));
	});

	test('does not end, and is not tried sooner, because the cursor moves', async () => {
		await cutOff('offline');
		for (let moves = 0; moves < 30; moves += 1) {
			setup.watch.setAttention({
				visibleIds: new Set([`${moves}`]),
				views: new Set(['fleet']),
				attendedUntil: Number.POSITIVE_INFINITY,
			});
			await setup.clock.live(second);
		}
		expect(setup.calls.length).toBeLessThan(2);
	});

	test('does not delay a read that a person requests', async () => {
		await cutOff('offline');
		setup.requestFate = undefined;
		setup.watch.readNow();
		await setup.clock.live(200);
		expect(types().slice(-4)).toContain('listRead');
	});

	test('caused by refused sign-ins allows one request every five minutes, and ends at once after a new sign-in', async () => {
		await cutOff('auth');
		await setup.clock.live(20 * minute);
		expect(setup.calls.length).toBeLessThan(6);
		setup.requestFate = undefined;
		setup.calls.length = 0;
		setup.watch.retryAfterSignIn();
		await setup.clock.live(200);
		expect(setup.calls.map(({ read }) => read)).toContain('list');
	});
});
