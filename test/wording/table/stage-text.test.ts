import { expect, test } from 'vitest';
import type { Change } from '../../../source/fleet/change.ts';
import { readingFields } from '../../../source/fleet/computers/computer.ts';
import type { FleetRow } from '../../../source/store/selectors.ts';
import { emptyUsage } from '../../../source/store/usage-history.ts';
import type { CellContext } from '../../../source/wording/table/cell-context.ts';
import { operationSpans } from '../../../source/wording/table/stage-progress.ts';
import { stageSpans, statusCell, uptimeText } from '../../../source/wording/table/status-text.ts';
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
	statusAgeOf: () => undefined,
	isOlderThanRow: () => false,
	waitingFor: () => undefined,
	canChange: true,
	changes: [],
	usage: emptyUsage,
	listFields: new Set(readingFields),
	theme,
};

const minute = 60_000;

const statusText = (row: FleetRow, width = 17, more: Partial<CellContext> = {}) =>
	statusCell(row, width, { ...context, ...more })
		.map(([text]) => text)
		.join('');

test('the status of a computer that does not run has its time, also if only the platform knows it', () => {
	const at = now - 53 * minute;
	const { computer } = asleep;
	const since = { at, isLowerBound: false };
	expect(statusText({ ...asleep, computer: { ...computer, since } })).toBe('○ Stopped 53m');
	const error = { ...computer, phase: 'error' as const, since };
	expect(statusText({ ...asleep, computer: error })).toBe('✖ Error 53m');
	const watchedLately = { at: now, isLowerBound: true };
	const reading = { id: 'sb_1', status: 'stopped', updatedAt: at };
	const told = { ...computer, reading, since: watchedLately };
	expect(statusText({ ...asleep, computer: told })).toBe('○ Stopped ≥53m');
	const unknown = { ...computer, since: { at, isLowerBound: true } };
	expect(statusText({ ...asleep, computer: unknown })).toBe('○ Stopped ≥53m');
	const created = { id: 'sb_1', createdAt: now - 41_000 };
	const creating = {
		...computer,
		phase: 'creating' as const,
		reading: created,
		since: watchedLately,
	};
	expect(statusText({ ...asleep, computer: creating })).toBe('◐ Creating 41s');
});

test('an active computer has no time in its status, because its uptime says it', () => {
	expect(statusText({ ...asleep, computer: { ...asleep.computer, phase: 'active' } })).toBe(
		'● Active',
	);
});

test('a status that is older than the last list has its age in place of its time, at every width', () => {
	const row: FleetRow = { ...asleep, computer: { ...asleep.computer, phase: 'active' } };
	const statusAgeOf = () => 9 * minute;
	expect(statusCell(row, 17, { ...context, statusAgeOf })).toEqual([['● Active, 9 m old', 'busy']]);
	expect(statusText(row, 14, { statusAgeOf })).toBe('● 9 m old');
});

test('the stage does not say what the status says', () => {
	const restart = { key: 'k1', operation: 'restart', computer: 'sb_1' };
	const operation = {
		...{ spec: restart, stage: 'accepted' as const, askedAt: now, sentAt: now - 8_000 },
		hasPhaseChanged: true,
	};
	const computer = { ...asleep.computer, phase: 'restarting' as const };
	expect(stageSpans({ ...asleep, computer, operation }, 36, context)).toEqual([]);
	const before = { ...computer, phase: 'active' as const };
	expect(stageSpans({ ...asleep, computer: before, operation }, 36, context)).toEqual([
		['Restarting 8s', 'busy'],
	]);
	expect(stageSpans(asleep, 36, context)).toEqual([['asleep', 'faint']]);
	const { stopReason: _, ...stopped } = asleep.computer;
	expect(stageSpans({ ...asleep, computer: stopped }, 36, context)).toEqual([]);
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
