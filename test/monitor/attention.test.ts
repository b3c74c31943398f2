import { expect, test } from 'vitest';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import {
	attendedUntilOf,
	isWorthReporting,
	setAttentionOfSessions,
} from '../../source/monitor/attention.ts';
import type { SessionTable } from '../../source/session/session-table.ts';
import type { Attention } from '../../source/watch/planner-input.ts';

function createSessions() {
	const told: [account: string, attention: Attention][] = [];
	const all = ['lab', 'live'].map(account => ({
		account,
		watch: { setAttention: (attention: Attention) => void told.push([account, attention]) },
	}));
	// Only the watches of the sessions are used.
	const sessions = { all: () => all } as unknown as Pick<SessionTable, 'all'>;
	return {
		accountsTold(attention: Parameters<typeof setAttentionOfSessions>[1]) {
			told.length = 0;
			setAttentionOfSessions(sessions, attention);
			return told.map(([account]) => account);
		},
		lastOf: (name: string) => told.findLast(([account]) => account === name)?.[1],
	};
}

const lab = (id: string) => globalIdOf('lab', id);
const live = (id: string) => globalIdOf('live', id);

test('a watch gets a report only when something has changed for its account', () => {
	const { accountsTold, lastOf } = createSessions();
	const seen = { visibleIds: new Set([lab('1'), live('1')]), attendedUntil: 100 };
	expect(accountsTold(seen)).toEqual(['lab', 'live']);
	expect(lastOf('live')).toEqual({ visibleIds: new Set(['1']), attendedUntil: 100 });
	// After an answer, the visible ids are reported again in a new set, although they have not changed.
	expect(accountsTold({ ...seen, visibleIds: new Set(seen.visibleIds) })).toEqual([]);
	const scrolled = { ...seen, visibleIds: new Set([lab('2'), live('1')]) };
	expect(accountsTold(scrolled)).toEqual(['lab']);
	const opened = { ...scrolled, detailId: live('1'), restingSince: 7 };
	expect(accountsTold(opened)).toEqual(['live']);
	expect(lastOf('live')).toMatchObject({ detailId: '1', restingSince: 7 });
	expect(accountsTold({ ...opened, restingSince: 9 })).toEqual(['live']);
	expect(accountsTold({ ...opened, restingSince: 9, attendedUntil: 50 })).toEqual(['lab', 'live']);
	expect(accountsTold({ ...seen, attendedUntil: 50 })).toEqual(['lab', 'live']);
});

const minute = 60_000;

test.each([
	['without reports of the focus, for five minutes after a key', false, true, 5 * minute],
	['with the focus, always', true, true, Number.POSITIVE_INFINITY],
	['without the focus, never', true, false, Number.NEGATIVE_INFINITY],
])('a person counts as watching: %s', (_, reportsFocus, isFocused, attendedUntil) => {
	expect(attendedUntilOf({ reportsFocus, isFocused }, 0)).toBe(attendedUntil);
});

test('a key is reported after a pause, and otherwise only twice a minute', () => {
	const now = 1_000_000;
	expect(isWorthReporting(now + 5 * minute, now - 1, now)).toBe(true);
	expect(isWorthReporting(now + 5 * minute, now + 5 * minute - 1_000, now)).toBe(false);
	expect(isWorthReporting(now + 5 * minute, now + 4 * minute, now)).toBe(true);
	expect(isWorthReporting(now + minute, now + minute, now)).toBe(false);
});
