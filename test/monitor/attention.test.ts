import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import { attendedUntilOf, createAttention } from '../../source/monitor/attention.ts';
import type { Screen } from '../../source/views/look/screen.ts';
import type { Attention } from '../../source/watch/plan.ts';
import { createHeldClock } from '../held-clock.ts';
import { fleet } from '../operations/ask-question.ts';
import { sampleScene } from '../rules/sample-scene.ts';

test('a watch hears only what has changed for its account', () => {
	const { screen, shown } = sampleScene(fleet);
	const told: [account: string, attention: Attention][] = [];
	const sessions = ['lab', 'live'].map(account => ({
		account,
		profile: { isReadOnly: false },
		watch: { setAttention: (attention: Attention) => void told.push([account, attention]) },
	}));
	const screenStore = createStore<Screen>(() => screen);
	const terminal = { reportsFocus: true, isFocused: true };
	const attention = createAttention({
		sessions: { all: () => sessions },
		screenStore,
		terminal: { state: () => terminal },
		clock: createHeldClock(),
	} as unknown as Parameters<typeof createAttention>[0]);
	const [lab, live] = [globalIdOf('lab', '1'), globalIdOf('live', '1')];
	const rows = shown.rows.slice(0, 2).map((row, at) => ({ ...row, id: at === 0 ? live : lab }));
	const all = { ...shown, rows, lines: rows };
	const see = (...ids: (typeof lab)[]) => attention.onShown({ screen, shown: all }, ids, false);
	const accountsTold = () => told.splice(0).map(([account]) => account);
	accountsTold();
	see(lab, live);
	expect(accountsTold()).toEqual(['lab', 'live']);
	see(lab, live);
	expect(accountsTold()).toEqual([]);
	see(live);
	expect(accountsTold()).toEqual(['lab']);
	attention.onShown({ screen, shown: all }, [live], true);
	expect(told).toMatchObject([['live', { detailId: '1', restingSince: 0 }]]);
});

const second = 1_000;

test.each([
	['without reports of the focus, for five minutes after a key', false, true, 0, 300 * second],
	['and keys within half a minute are one report', false, true, 1 * second, 330 * second],
	['and keys within half a minute are one report', false, true, 29 * second, 330 * second],
	['and a later key is another one', false, true, 31 * second, 360 * second],
	['with the focus, always', true, true, 0, 8.64e15],
	['without the focus, never', true, false, 0, 0],
])('a person counts as watching: %s', (_, reportsFocus, isFocused, lastKeyAt, until) => {
	expect(attendedUntilOf({ reportsFocus, isFocused }, lastKeyAt)).toBe(until);
});
