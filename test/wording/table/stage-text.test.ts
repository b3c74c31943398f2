import { expect, test } from 'vitest';
import type { Change } from '../../../source/fleet/change.ts';
import { readingFields } from '../../../source/fleet/computers/computer.ts';
import { emptyUsage } from '../../../source/store/usage-history.ts';
import { operationSpans } from '../../../source/wording/table/stage-progress.ts';
import { stageSpans, uptimeText } from '../../../source/wording/table/status-text.ts';
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
	listFields: new Set(readingFields),
	theme,
};

test('an available update is shown with its key only if operations are allowed', () => {
	const computer = { ...asleep.computer, phase: 'active' as const, reading: { id: 'sb_1' } };
	const row = { ...asleep, computer, isOutdated: true };
	const said = (canChange: boolean, width = 36) =>
		stageSpans(row, width, { ...context, latestVersion: '1.4.2', canChange });
	expect(said(true)).toEqual([['update to 1.4.2 available (u)', 'faint']]);
	expect(said(false)).toEqual([['update to 1.4.2 available', 'faint']]);
	expect(said(true, 20), 'its key is never cut').toEqual([['update to 1.4.2 (u)', 'faint']]);
	expect(said(true, 14)).toEqual([['update (u)', 'faint']]);
});

test('only the row under the cursor spells out an available update, because its version has a sign', () => {
	const computer = { ...asleep.computer, phase: 'active' as const, reading: { id: 'sb_1' } };
	const row = { ...asleep, computer, isOutdated: true };
	expect(stageSpans(row, 36, { ...context, latestVersion: '1.4.2', isBrief: true })).toEqual([]);
});

test('a stage leaves out its end if only the first letters of the end have room', () => {
	const spec = { key: 'k1', operation: 'stop', computer: 'sb_1' };
	const operation = { spec, stage: 'unknown', askedAt: now, hasPhaseChanged: false } as const;
	const said = (width: number) => stageSpans({ ...asleep, operation }, width, context);
	expect(said(30)).toEqual([['Stop outcome unknown, checking', 'busy']]);
	expect(said(29), 'the row cuts it').toEqual([['Stop outcome unknown, checking', 'busy']]);
	expect(said(20)).toEqual([['Stop outcome unknown', 'busy']]);
});

const minute = 60_000;

test('the row of a stopped computer says since when, also if only the platform knows that', () => {
	const { stopReason: _, ...stopped } = asleep.computer;
	const at = now - 53 * minute;
	const textOf = (computer: typeof stopped) => stageSpans({ ...asleep, computer }, 36, context);
	expect(textOf({ ...stopped, since: { at, isLowerBound: false } })).toEqual([
		['stopped 53 m ago', 'faint'],
	]);
	const reading = { id: 'sb_1', status: 'stopped', updatedAt: at };
	const watchedLately = { at: now, isLowerBound: true };
	expect(textOf({ ...stopped, reading, since: watchedLately })).toEqual([
		['stopped 53 m ago', 'faint'],
	]);
	expect(textOf({ ...stopped, since: watchedLately })).toEqual([]);
});

test('the row of an active computer says for an hour what happened last', () => {
	const computer = { ...asleep.computer, phase: 'active' as const, reading: { id: 'sb_1' } };
	const row = { ...asleep, computer };
	const wish = { key: 'k1', operation: 'restart', computer: 'sb_1' };
	const changesAt = (at: number): readonly Change[] => [
		{ type: 'statusChanged', id: 'sb_1', from: 'stopped', to: 'active', at: at - 1, notBefore: at },
		{ type: 'operationMoved', wish, to: 'settled', took: 9, at },
		{ type: 'operationMoved', wish: { ...wish, computer: 'sb_2' }, to: 'settled', took: 9, at },
	];
	const textOf = (changes: readonly Change[]) => stageSpans(row, 36, { ...context, changes });
	expect(textOf(changesAt(now - 2 * minute))).toEqual([['restarted 2 m ago', 'faint']]);
	expect(textOf(changesAt(now - 2 * minute).slice(0, 1))).toEqual([['started 2 m ago', 'faint']]);
	expect(textOf(changesAt(now - hour))).toEqual([]);
});

/** Returns the text of a creation that began 30 seconds ago, in a column of this width. */
function creationText(width: number, stageProgress: number, age: 'fresh' | 'old' = 'fresh') {
	const reading = { id: 'sb_1', status: 'creating', stage: 'loading_image', stageProgress };
	const since = { at: now - 30_000, isLowerBound: false };
	const computer = { ...asleep.computer, phase: 'creating' as const, reading, since };
	return stageSpans({ ...asleep, computer }, width, { ...context, ageOf: () => age })
		.map(([text]) => text)
		.join('');
}

test('in few cells, a stage leaves out its last word instead of cutting it', () => {
	const stopped = { ...asleep, computer: { ...asleep.computer, stopReason: 'asked' as const } };
	expect(stageSpans(stopped, 15, context)).toEqual([['stopped 1 h ago', 'faint']]);
	expect(stageSpans(stopped, 13, context)).toEqual([['stopped 1 h', 'faint']]);
});

test.each([14, 20, 23, 24, 30, 34])(
	'in %i cells, the row of a creation says how long it still takes, and nothing in it moves',
	width => {
		const text = creationText(width, 60);
		expect(text).toMatch(/ 60% {1,2}~20s ?$/);
		expect(text).toHaveLength(width);
		expect(creationText(width, 5)).not.toContain('~');
		const old = creationText(width, 60, 'old');
		expect(old, 'no time runs down beside old data').toMatch(/ 60% *$/);
		expect(old.indexOf('%')).toBe(text.indexOf('%'));
		expect(creationText(width, 5).indexOf('%')).toBe(text.indexOf('%'));
	},
);

test('where there is no room for the bar of a creation, its stage and its time stay', () => {
	expect(creationText(20, 60)).toBe('loading i…  60% ~20s');
	expect(creationText(23, 60)).toBe('loading image  60% ~20s');
	expect(creationText(34, 60)).toMatch(/^loading image +━+╸?─+ {2}60% {2}~20s$/);
	expect(creationText(10, 60)).toBe(' 60% ~20s');
	expect(creationText(13, 60)).toBe(' 60% ~20s');
	expect(creationText(14, 60)).toMatch(/^━+╸?─+ {2}60% ~20s$/);
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

test('the uptime is that of the last read, so that it stays when reads begin to fail', () => {
	const computer = {
		...asleep.computer,
		phase: 'active' as const,
		reading: { id: 'sb_1', startedAt: now - hour },
	};
	const row = { ...asleep, computer };
	const read = { ...context, lastReadAtOf: () => now };
	expect(uptimeText(row, read)).toBe('1h 0m');
	expect(uptimeText(row, { ...read, now: now + 3 * minute })).toBe('1h 0m');
	const old = { ...read, now: now + 9 * minute, ageOf: () => 'old' as const };
	expect(uptimeText(row, old)).toBe('≥1h 0m');
});

test('what another pane is about to send is said as news, without a name of that pane', () => {
	const operation = {
		spec: { key: 'k', operation: 'stop', computer: 'sb_1' },
		...{ stage: 'counting' as const, askedAt: now, graceEndsAt: now + 2_500 },
		...{ hasPhaseChanged: false, pane: 4711 },
	};
	const said = (more: object = {}) =>
		operationSpans({ ...operation, ...more }, context)
			.map(([text]) => text)
			.join('');
	expect(said()).toBe('Another pane stops it in 3 s');
	expect(said({ stage: 'held', graceEndsAt: undefined })).toBe('Another pane stops it later');
	expect(said({ stage: 'sent' })).toMatch(/^Stop requested/);
});
