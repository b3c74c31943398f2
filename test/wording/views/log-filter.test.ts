import { expect, test } from 'vitest';
import type { Change } from '../../../source/fleet/change.ts';
import { changeFilterMistake } from '../../../source/fleet/change-filter.ts';
import { createLogFilter } from '../../../source/wording/views/log-filter.ts';
import { changePieces, createLogLineFormatter } from '../../../source/wording/views/log-text.ts';
import { hour, now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const changes: readonly Change[] = [
	{
		type: 'statusChanged',
		at: now - 9 * hour,
		notBefore: now - 10 * hour,
		id: 'sb_1',
		name: 'cygnus',
		from: 'running',
		to: 'stopped',
	},
	{
		type: 'operationMoved',
		at: now - 2 * hour,
		wish: { key: 'k', operation: 'stop', computer: 'sb_2', name: 'eridanus' },
		to: 'failed',
		took: 3000,
		who: 'owner@example.com',
		message: 'disk quota',
	},
	{ type: 'toppedUp', at: now - hour, notBefore: now - hour, from: 10, to: 60 },
	{ type: 'released', at: now, notBefore: now, from: '1.4.1', to: '1.4.2' },
];

const own = new Set(['owner@example.com']);
const typesOf = (filter: string) => createLogFilter()(changes, filter, own).map(({ type }) => type);

test('the log lists the newest change first', () => {
	expect(typesOf('')).toEqual(['released', 'toppedUp', 'operationMoved', 'statusChanged']);
	expect(typesOf('  - ')).toHaveLength(4);
});

test('the log filter finds changes that contain all words in their text, id, status or account', () => {
	expect(typesOf('CYGNUS')).toEqual(['statusChanged']);
	expect(typesOf('running')).toEqual(['statusChanged']);
	expect(typesOf('sb_2 quota')).toEqual(['operationMoved']);
	expect(typesOf('sb_2 cygnus')).toEqual([]);
	expect(typesOf('owner@')).toEqual(['operationMoved']);
	expect(typesOf('stop -eridanus')).toEqual(['statusChanged']);
	expect(typesOf('version')).toEqual(['released']);
});

test('the log filter finds changes by their kind and by who caused them', () => {
	expect(typesOf('kind:status')).toEqual(['statusChanged']);
	expect(typesOf('kind:stop')).toEqual(['operationMoved']);
	expect(typesOf('kind:failure')).toEqual(['operationMoved']);
	expect(typesOf('-kind:operation -kind:status')).toEqual(['released', 'toppedUp']);
	expect(typesOf('who:you')).toEqual(['operationMoved']);
	expect(typesOf('who:owner@ kind:start')).toEqual([]);
	expect(typesOf('-who:you')).toHaveLength(3);
});

test('the log filter tells own operations from those of other people', () => {
	const others = new Set(['norma@example.com']);
	const found = (filter: string) => createLogFilter()(changes, filter, others).length;
	expect([found('who:you'), found('who:owner@'), found('who:platform')]).toEqual([0, 1, 3]);
	expect(createLogFilter()(changes, 'who:you', new Set())).toHaveLength(1);
});

test('the log filter names an unknown field, and takes a colon at the end of a word as a letter', () => {
	expect(changeFilterMistake('atlas  Kinds:failure')).toMatchObject({
		problem: 'No field “kinds”. Did you mean kind?',
		problemAt: { from: 7, to: 20 },
	});
	expect(changeFilterMistake('status:error')?.problem).toBe(
		'No field “status”. Known: who, kind, since, on',
	);
	expect(changeFilterMistake('atlas: who:you')).toBeUndefined();
	expect(typesOf('cygnus: active')).toEqual(['statusChanged']);
});

test('the log filter returns the same array for the same changes and words', () => {
	const logOf = createLogFilter();
	expect(logOf(changes, 'stop', own)).toBe(logOf(changes, 'stop', own));
});

function linesIn(width: number, some = changes) {
	const line = createLogLineFormatter(some, { now, width, theme });
	return some.map(change =>
		line(change, changePieces(change, own))
			.map(([text]) => text)
			.join(''),
	);
}

test('the log aligns its times in one column, and adds the date for other days', () => {
	expect(linesIn(100)).toEqual([
		'2026-11-20 23:00  ○ cygnus: active → stopped, some time after 2026-11-20 22:00',
		'06:00             ✖ eridanus: stop failed: disk quota',
		'07:00             + credits rose by 50.00 to 60.00',
		'08:00             ↑ version 1.4.2 is out',
	]);
	expect(linesIn(50)[0]).toMatch(/^11-20 23:00 {2}○ cygnus/);
	expect(linesIn(100, changes.slice(1))[0]).toMatch(/^06:00 {2}✖/);
});

test('since: and on: select changes by their time', () => {
	const hour = 3_600_000;
	const noon = new Date(2026, 10, 25, 12).getTime();
	const released = (at: number, to: string): Change => ({
		type: 'released',
		at,
		notBefore: at,
		from: '1',
		to,
	});
	// Wednesday noon: an hour ago, on Tuesday, on the Wednesday before, and in October.
	const dated = [
		released(noon - hour, 'a'),
		released(noon - 24 * hour, 'b'),
		released(noon - 7 * 24 * hour, 'c'),
		released(new Date(2026, 9, 3, 9).getTime(), 'd'),
	];
	const found = (filter: string) =>
		createLogFilter()(dated, filter, new Set(), noon)
			.map(change => (change.type === 'released' ? change.to : ''))
			.toReversed()
			.join('');
	expect(found('since:8h')).toBe('a');
	expect(found('-since:8h')).toBe('bcd');
	expect(found('since:2d')).toBe('ab');
	expect(found('on:tue')).toBe('b');
	expect(found('on:wed')).toBe('a');
	expect(found('on:yesterday')).toBe('b');
	expect(found('on:10-03')).toBe('d');
	expect(found('on:2026-11-18')).toBe('c');
	expect(changeFilterMistake('since:lately')?.problem).toBe(
		'since takes a time such as 90s, 30m, 8h or 7d',
	);
	expect(changeFilterMistake('on:doomsday')?.problem).toContain('on takes a day');
});
