import { expect, test } from 'vitest';
import { emptyUsage } from '../../../source/store/usage-history.ts';
import { stageSpans } from '../../../source/wording/table/status-text.ts';
import { hour, now } from '../../arbitraries/values.ts';
import { rowId } from '../../opened-account.ts';
import { theme } from '../../sample-theme.ts';

const asleep = {
	id: rowId('sb_1'),
	account: 'test',
	computer: {
		id: 'sb_1',
		reading: { id: 'sb_1', status: 'stopped' },
		phase: 'stopped' as const,
		since: { at: now - hour, isLowerBound: false },
		stopReason: 'asleep' as const,
		listed: 'with-status' as const,
		isMissing: false,
	},
	isOutdated: false,
};

const context = {
	now,
	latestVersion: undefined,
	lastReadAtOf: () => now,
	ageOf: () => 'fresh' as const,
	waitingFor: () => undefined,
	canChange: true,
	changes: [],
	usage: emptyUsage,
	theme,
};

test('an available update is shown with its key only if operations are allowed', () => {
	const computer = { ...asleep.computer, phase: 'active' as const, reading: { id: 'sb_1' } };
	const row = { ...asleep, computer, isOutdated: true };
	const said = (canChange: boolean) =>
		stageSpans(row, 36, { ...context, latestVersion: '1.4.2', canChange });
	expect(said(true)).toEqual([['update to 1.4.2 available (u)', 'faint']]);
	expect(said(false)).toEqual([['update to 1.4.2 available', 'faint']]);
});

test.each([
	[36, 'asleep since 07:00'],
	[18, 'asleep since 07:00'],
	[17, 'asleep 07:00'],
])(
	'in %i cells, the stage column says when a sleeping computer fell asleep: “%s”',
	(width, text) => {
		expect(stageSpans(asleep, width, context)).toEqual([[text, 'faint']]);
	},
);
