import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { layoutFor } from '../../../source/drawing/layout.ts';
import type { Phase } from '../../../source/fleet/computers/computer.ts';
import { allowanceInPhase, allPhases } from '../../../source/fleet/operations/operation-table.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { keyContextOf, openDialogOf } from '../../../source/keys/open-dialog.ts';
import { initialScreen, type Screen } from '../../../source/screen/screen.ts';
import type { FleetRow } from '../../../source/store/selectors.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import { createStore } from '../../../source/store/store.ts';
import { keysLine } from '../../../source/wording/frame/footer-text.ts';
import { type HintContext, hintsOf } from '../../../source/wording/frame/hint-table.ts';
import { messageLine } from '../../../source/wording/frame/messages.ts';
import {
	countdownLine,
	plainLine,
	type WaitLine,
	wholeLine,
} from '../../../source/wording/phrases/waiting-text.ts';
import { createVisibleRows } from '../../../source/wording/table/visible-rows.ts';
import { now } from '../../arbitraries/values.ts';
import { onlyAccount, rowId } from '../../opened-account.ts';
import { theme } from '../../sample-theme.ts';

const store = createStore();
store.foldAll([
	{
		account: 'test',
		at: now,
		type: 'listRead',
		computers: [{ id: 'sb_1', name: 'atlas', status: 'active', version: '1.3.9' }],
	},
	{ account: 'test', at: now, type: 'releaseRead', release: { version: '1.4.2', changes: [] } },
]);
const account = store.getState().accounts.get('test') ?? emptyAccount;

type Standing = Parameters<typeof keysLine>[2] & { isPasswordWanted: boolean };

function hints(change: Partial<Screen>, width = 120, standing: Partial<Standing> = {}) {
	const screen = { ...initialScreen(), ...change };
	const shown = createVisibleRows()({
		accounts: onlyAccount(account),
		screen,
		layout: layoutFor(width, 36),
		now,
	});
	const operationsState = {
		question: undefined,
		isLocked: false,
		isReadOnly: false,
		commandRuns: [],
		portChecks: [],
		holdReason: undefined,
	};
	const prompt = standing.isPasswordWanted ? { email: '', host: '' } : undefined;
	const dialog = openDialogOf(screen, { operations: operationsState, passwordPrompt: prompt });
	const line = keysLine(
		{ screen, keyContext: keyContextOf(dialog, screen), width, now, theme },
		shown,
		{
			...operationsState,
			countdown: undefined,
			matchCount: shown.rows.length,
			totalCount: shown.allRows.length,
			problem: undefined,
			hiddenMarkCount: 0,
			messagePlace: 'beside',
			isFilterShown: false,
			...standing,
		},
		bindings,
	);
	return stripVTControlCharacters(line.text).trim();
}

test.each<[string, Partial<Screen>, RegExp, RegExp]>([
	[
		'the table of computers',
		{},
		/^Enter open {2}\/ filter {2}Space mark {2}o order │ x stop {2}r restart {2}u update .* │ : anything {2}Tab views {2}\? help/,
		/back| {2}s start|unlock|retry|next error/,
	],
	['the details', { isDetailOpen: true }, / │ : anything .*Esc back/, /^$/],
	[
		'the view of versions',
		{ view: 'versions' },
		/^(?=.*Enter show computers)(?=.*u update all behind).*Esc back/,
		/stop|filter/,
	],
	[
		'the view of models',
		{ view: 'models' },
		/^\/ filter │ y copy.* │ : anything .*Esc back/,
		/update/,
	],
	['the help', { isHelpOpen: true }, /\? help {2}Esc back {2}q close$/, /stop/],
	['the palette', { palette: { chosenId: undefined } }, /^Esc back$/, /stop/],
	['a question', { confirmation: { about: 'leave', openingKey: 'q' } }, /^$/, /\w/],
])('the footer hints only at keys that work in %s', (_, change, right, wrong) => {
	expect(hints(change, 160)).toMatch(right);
	expect(hints(change, 160)).not.toMatch(wrong);
});

test('on a narrower screen, hints leave in a fixed order, and the others keep their order', () => {
	expect(hints({}, 80)).toMatch(
		/^Enter open {2}\/ filter │ x stop {2}r restart {2}u update │ : anything {2}\? help {2}q quit$/,
	);
	expect(hints({}, 50)).toBe('/ filter │ x stop  r restart │ ? help  q quit');
	expect(hints({}, 32)).toBe('/ filter │ ? help  q quit');
	const texts = (width: number) => hints({}, width).split(/ {2}| │ /);
	for (let width = 30; width < 200; width += 1)
		expect(texts(width + 1), `${width}`).toEqual(expect.arrayContaining(texts(width)));
});

test('while the monitor is locked, the footer says how to unlock it', () => {
	expect(hints({}, 100, { isLocked: true })).toContain('L unlock');
	expect(hints({}, 100)).not.toContain('unlock');
});

test('on a short screen, the last line says which rows are in sight', () => {
	expect(hints({}, 60, { position: '1–9 of 24' })).toMatch(
		/\/ filter .*\? help {2}q quit +1–9 of 24$/,
	);
});

test('the footer has no key hints while a person types a password', () => {
	expect(hints({}, 120, { isPasswordWanted: true })).toBe('');
});

const stopping = countdownLine('stop', 'atlas', { type: 'grace', until: now + 4_000 }, now, {});

const said = (text: string, age = 0) => ({ text, shownAt: now - age });

test('the hint of the help key is shown even if other hints have no room', () => {
	const text = 'something that takes as much room as this does, and then some more of it';
	expect(hints({ notice: said(text) })).toMatch(/\? help {2}q quit {3,}something/);
	expect(hints({ notice: said('copied') }, 40)).toMatch(/\? help/);
});

test('a message is shown in the line above the key hints, so that no hint gives way', () => {
	const notice = said('Copied sb_1');
	const [quiet, busy] = [hints({}, 120), hints({ notice }, 120, { messagePlace: 'above' })];
	expect(busy).toBe(quiet);
	const line = (age: number) => {
		const screen = { ...initialScreen(), notice: said('Copied sb_1', age) };
		const options = { screen, keyContext: 'fleet', width: 80, now, theme } as const;
		return stripVTControlCharacters(
			messageLine(options, plainLine('Stopping atlas in 4 s'), undefined, [], new Set()),
		);
	};
	expect(line(0)).toMatch(/^ Stopping atlas in 4 s {3}Copied sb_1 *$/);
	expect(line(8_000)).toMatch(/^ Stopping atlas in 4 s *$/);
});

test('on a low screen, a message replaces all key hints for a while', () => {
	const holding = { marks: new Set([rowId('sb_1')]) };
	const lineAt = (width: number, age: number, countdown?: WaitLine) =>
		hints({ ...holding, notice: said('Copied sb_1 and its address', age) }, width, {
			messagePlace: 'instead',
			countdown,
		});
	for (const width of [120, 60, 30]) {
		expect(lineAt(width, 0)).toBe('Copied sb_1 and its address');
		expect(lineAt(width, 8_000)).toBe(hints(holding, width));
	}
	const countdown = 'Stopping atlas in 4 s, Esc to cancel';
	expect(lineAt(80, 0, stopping)).toBe(`${countdown}   Copied sb_1 and its address`);
	expect(lineAt(60, 0, stopping), 'whole or not at all').toBe(countdown);
	expect(lineAt(30, 0, stopping), 'cut in its middle').toBe('Stopp… in 4 s, Esc to cancel');
});

test('the last line can show messages, marks and the filter together with the key hints', () => {
	const marks = new Set([rowId('sb_1')]);
	const holding = { marks, filters: { fleet: 'status:active', models: '', log: '' } };
	expect(hints({ ...holding, notice: said('nothing was done') })).toMatch(
		/ {2}nothing was done {2}1 marked {2}\/status:active$/,
	);
	expect(hints({ ...holding, notice: said('nothing was done', 8_000) })).toMatch(
		/ {2}1 marked {2}\/status:active$/,
	);
});

test('the last line shows a countdown at every width, also while a filter is typed', () => {
	const countdown = stopping;
	for (const width of [200, 120, 80, 60]) {
		const notice = said('copied sb_1 and something more than that');
		expect(hints({ notice }, width, { countdown }), `${width}`).toContain(wholeLine(countdown));
		expect(
			hints({ isFiltering: true, filters: { fleet: 'at', models: '', log: '' } }, width, {
				countdown,
			}),
		).toMatch(/^\/at.* Stopping atlas in 4 s, Esc to cancel$/);
	}
});

test.each<[string, boolean, Partial<Screen>, Partial<Standing>]>([
	['nothing else is open', true, {}, {}],
	['a computer is marked', false, { marks: new Set([rowId('sb_1')]) }, {}],
	['details are open', false, { isDetailOpen: true }, {}],
	['a countdown is running', false, {}, { isCountingDown: true }],
	['a failure stands', false, {}, { hasFailure: true }],
	[
		'the log is filtered',
		true,
		{
			view: 'log',
			filters: { fleet: '', models: '', log: 'you' },
			marks: new Set([rowId('sb_1')]),
		},
		{},
	],
	['help is open', false, { isHelpOpen: true }, {}],
])('when %s, the footer says that Esc clears the filter: %s', (_, does, change, standing) => {
	const line = hints(
		{ filters: { fleet: 'atlas', models: '', log: '' }, ...change },
		200,
		standing,
	);
	expect(line.includes('Esc clear filter')).toBe(does);
});

test.each(['fleet', 'log', 'billing'] as const)(
	'while a countdown runs, the first hint is that Esc cancels it, at every width (%s)',
	view => {
		for (const width of [200, 120, 80, 60, 40, 30]) {
			const line = hints({ view }, width, { isCountingDown: true });
			expect(line.startsWith('Esc cancel'), `${width}: ${line}`).toBe(true);
		}
		expect(hints({ view }, 80)).not.toContain('Esc cancel');
	},
);

test('while something is open over a countdown, no hint says that Esc cancels', () => {
	expect(hints({ isHelpOpen: true }, 120, { isCountingDown: true })).not.toContain('Esc cancel');
});

test('the filter line leaves a countdown to the message line, if there is one', () => {
	const typing = { isFiltering: true, filters: { fleet: 'at', models: '', log: '' } };
	const countdown = countdownLine('stop', 'atlas', { type: 'held', leftMs: 4_000 }, now, {});
	expect(hints(typing, 80, { countdown, messagePlace: 'above' })).not.toContain('atlas');
	expect(hints(typing, 60, { countdown, messagePlace: 'instead' })).toMatch(
		/Stopping atlas: on hold$/,
	);
});

test('the footer shows how many lines of the log match while a filter is typed', () => {
	expect(
		hints({ view: 'log', isFiltering: true, filters: { fleet: '', models: '', log: 'you' } }, 80, {
			matchCount: 7,
			totalCount: undefined,
		}),
	).toMatch(/^\/you.* 7 shown$/);
});

test('for a computer in error, the footer hints at a restart, and neither at start nor at stop', () => {
	const failing = createStore();
	const computers = [{ id: 'sb_9', name: 'zenith', status: 'error' }];
	failing.fold({ account: 'test', at: now, type: 'listRead', computers });
	const state = failing.getState().accounts.get('test') ?? emptyAccount;
	const screen = initialScreen();
	const { rows } = createVisibleRows()({
		accounts: onlyAccount(state),
		...{ screen, layout: layoutFor(120, 36), now },
	});
	const context = { screen, keyContext: keyContextOf(undefined, screen), row: rows[0] };
	const flags = { isAnyOutdated: false, hasTrouble: true, isLocked: false };
	const hinted = hintsOf(bindings, { ...context, ...flags, escapeHint: undefined });
	const keys = hinted.map(({ key }) => key);
	expect(keys).toContain('r');
	expect(keys).not.toContain('s');
	expect(keys).not.toContain('x');
});

describe('the footer offers only what can be done', () => {
	const screen = initialScreen();
	const usual: HintContext = {
		...{ screen, row: undefined, isAnyOutdated: false, hasTrouble: false },
		keyContext: 'fleet',
		...{ isLocked: false, escapeHint: undefined },
	};
	const rowIn = (phase: Phase): FleetRow => ({
		id: rowId('sb_1'),
		account: 'test',
		computer: {
			...{ id: 'sb_1', reading: { id: 'sb_1' }, phase, listed: 'with-status', isMissing: false },
			since: { at: now, isLowerBound: false },
		},
		isOutdated: false,
	});
	const offered = (context: Partial<HintContext>) =>
		hintsOf(bindings, { ...usual, ...context }).map(({ key, text }) => `${key} ${text}`);

	test('the key that ends commands is offered in the output view only while one runs', () => {
		const isOffered = (hasRunningCommand: boolean) =>
			offered({ keyContext: 'output', hasRunningCommand }).includes('ctrl-c end the commands');
		expect([isOffered(true), isOffered(false)]).toEqual([true, false]);
	});

	test('without a computer, no key that opens, marks or orders is offered', () => {
		const hints = offered({});
		expect(hints.filter(hint => /^(enter|space|o|x|s|r|\/) /.test(hint))).toEqual([]);
		expect(hints).toEqual(expect.arrayContaining(['n create', ': anything', '? help', 'q quit']));
	});

	test('the log offers to cancel only what is not sent, and nothing on an empty log', () => {
		const log = { keyContext: 'log', screen: { ...screen, view: 'log' } } as const;
		expect(offered({ ...log, choiceCount: 2, isCancellable: true })).toContain('x cancel');
		expect(offered({ ...log, choiceCount: 2 }).join()).not.toMatch(/cancel/);
		expect(offered({ ...log, choiceCount: 0 }).join()).not.toMatch(/cancel|open/);
	});

	test('a locked monitor offers to unlock, and no operation', () => {
		const hints = offered({ row: rowIn('active'), isLocked: true });
		expect(hints).toContain('L unlocks');
		expect(hints.join()).not.toMatch(/stop|restart|delete|create|publish/);
	});

	test('a stop is offered exactly where the platform accepts it', () => {
		for (const phase of allPhases)
			expect(offered({ row: rowIn(phase) }).includes('x stop'), phase).toBe(
				allowanceInPhase('stop', phase).isAllowed,
			);
		expect(allowanceInPhase('stop', 'error').isAllowed).toBe(false);
	});

	test('on a narrow screen, the operations that help in trouble stay longer than all others', () => {
		const droppedLast = (context: Partial<HintContext>) =>
			hintsOf(bindings, { ...usual, ...context })
				.filter(({ group }) => group === 'do')
				.toSorted((one, other) => one.dropOrder - other.dropOrder)
				.map(({ text }) => text);
		const behind = { ...rowIn('active'), isOutdated: true };
		expect(droppedLast({ row: behind }).slice(0, 3)).toEqual(['stop', 'restart', 'update']);
		expect(droppedLast({ row: rowIn('error') })[0]).toBe('restart');
		expect(droppedLast({ row: rowIn('stopped') })[0]).toBe('start');
	});

	test('with marked computers, an operation is offered if one of them accepts it', () => {
		const marked = { row: rowIn('active'), markedRows: [rowIn('stopped'), rowIn('error')] };
		expect(offered(marked)).toEqual(expect.arrayContaining(['s start', 'r restart']));
		expect(offered(marked)).not.toContain('x stop');
	});
});

test('a notice about a read disappears when the read has ended, but not before it can be read', () => {
	const notice = { text: 'Trying now', shownAt: now, isAboutRead: true };
	const screen = { ...initialScreen(), notice };
	const keyContext = keyContextOf(undefined, screen);
	const shownAfter = (milliseconds: number, lastReadAt: number) =>
		messageLine(
			{ screen, keyContext, lastReadAt, width: 80, now: now + milliseconds, theme },
			undefined,
			undefined,
			[],
			new Set(),
		).includes('Trying now');
	expect(shownAfter(5_000, now - 1)).toBe(true);
	expect(shownAfter(1_000, now + 100)).toBe(true);
	expect(shownAfter(2_000, now + 100)).toBe(false);
	expect(shownAfter(8_000, now - 1)).toBe(false);
});

test('a narrow line cuts the target of a countdown, and never its seconds and the key that cancels it', () => {
	const screen = initialScreen();
	const keyContext = keyContextOf(undefined, screen);
	const wait = { type: 'grace', until: now + 4_000 } as const;
	const countdown = countdownLine('delete', 'sirius', wait, now, {});
	const shownIn = (width: number) =>
		messageLine(
			{ screen, keyContext, width, now, theme },
			countdown,
			undefined,
			[],
			new Set(),
		).trim();
	expect(shownIn(60)).toBe('Deleting sirius in 4 s, Esc to cancel');
	expect(shownIn(34)).toBe('Deleting … in 4 s, Esc to cancel');
	expect(shownIn(30)).toBe('Delet… in 4 s, Esc to cancel');
});

test('the line of changes names an operation once, in the words and with the duration of the log', () => {
	const wish = { key: 'k', operation: 'stop', computer: 'sb_1', name: 'atlas' };
	const at = now - 10_000;
	const step = (to: 'sent' | 'settled', afterMs: number) =>
		({ type: 'operationMoved', at: at + afterMs, wish, to, took: afterMs }) as const;
	const became = { type: 'statusChanged', at: at + 4_000, notBefore: at, id: 'sb_1' } as const;
	const stopped = { ...became, name: 'atlas', from: 'stopping', to: 'stopped', lasted: 3_000 };
	const screen = initialScreen();
	const keyContext = keyContextOf(undefined, screen);
	const line = messageLine(
		{ screen, keyContext, width: 120, now, theme },
		undefined,
		undefined,
		[step('sent', 0), stopped, step('settled', 5_000)],
		new Set(),
	);
	expect(stripVTControlCharacters(line).trim()).toMatch(/^\d\d:\d\d atlas: stopped by you in 5 s$/);
});
