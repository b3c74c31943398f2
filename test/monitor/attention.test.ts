import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import { attendedUntilOf, createAttention } from '../../source/monitor/attention.ts';
import type { SessionTable } from '../../source/session/session-table.ts';
import type { Screen } from '../../source/views/look/screen.ts';
import type { ScreenAndTerminal } from '../../source/views/read-scene.ts';
import type { Attention } from '../../source/watch/plan.ts';
import { createHeldClock } from '../held-clock.ts';
import { fleet } from '../operations/ask-question.ts';
import { sampleScene } from '../rules/sample-scene.ts';

test('a watch hears only what has changed for its account', () => {
	const { screen, shown } = sampleScene(fleet);
	const told: [account: string, attention: Attention][] = [];
	const all = ['lab', 'live'].map(account => ({
		account,
		watch: { setAttention: (attention: Attention) => void told.push([account, attention]) },
	}));
	const screenStore = createStore<Screen>(() => screen);
	const terminal = { reportsFocus: true, isFocused: true } as ScreenAndTerminal['terminal'];
	const attention = createAttention({
		// Only the watches of the sessions are used.
		sessions: { all: () => all } as unknown as Pick<SessionTable, 'all'>,
		screenStore,
		screenAndTerminal: {
			getState: () => ({ screen: screenStore.getState(), terminal }),
			subscribe: call => screenStore.subscribe(() => call()),
		},
		isDetailShown: ({ isDetailOpen }) => isDetailOpen,
		loadHistory() {},
		clock: createHeldClock(),
	});
	const [lab, live] = [globalIdOf('lab', '1'), globalIdOf('live', '1')];
	const accountsTold = (change: () => void) => {
		told.length = 0;
		change();
		return told.map(([account]) => account);
	};
	const see = (...ids: (typeof lab)[]) => attention.onShown({ ...shown, ids: [live, lab] }, ids);
	expect(accountsTold(() => see(lab, live))).toEqual(['lab', 'live']);
	expect(accountsTold(() => see(lab, live))).toEqual([]);
	expect(accountsTold(() => see(live))).toEqual(['lab']);
	expect(accountsTold(() => screenStore.setState({ isDetailOpen: true }))).toEqual(['live']);
	expect(told[0]?.[1]).toMatchObject({ detailId: '1', restingSince: 0 });
});

const minute = 60_000;

test.each([
	['without reports of the focus, for five minutes after a key', false, true, 5 * minute],
	['with the focus, always', true, true, Number.POSITIVE_INFINITY],
	['without the focus, never', true, false, Number.NEGATIVE_INFINITY],
])('a person counts as watching: %s', (_, reportsFocus, isFocused, attendedUntil) => {
	expect(attendedUntilOf({ reportsFocus, isFocused }, 0)).toBe(attendedUntil);
});

test('keys within half a minute are one report', () => {
	const until = (lastKeyAt: number) =>
		attendedUntilOf({ reportsFocus: false, isFocused: true }, lastKeyAt);
	expect(until(1_000)).toBe(until(29_000));
	expect(until(31_000)).toBeGreaterThan(until(29_000));
});
