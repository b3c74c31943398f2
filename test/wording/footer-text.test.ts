import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { layoutFor } from '../../source/drawing/layout.ts';
import { bindings } from '../../source/keys/bindings.ts';
import { keyContext } from '../../source/keys/key-context.ts';
import { initialScreen, type Screen } from '../../source/screen/screen.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { keysLine } from '../../source/wording/footer-text.ts';
import { createVisibleRows } from '../../source/wording/visible-rows.ts';
import { now } from '../arbitraries/values.ts';
import { theme } from '../sample-theme.ts';

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
	const screen = { ...initialScreen('test'), ...change };
	const shown = createVisibleRows()({ account, screen, layout: layoutFor(width, 36), now });
	const operationsState = {
		question: undefined,
		isLocked: false,
		isReadOnly: false,
		batches: [],
		checks: [],
	};
	const place = keyContext(screen, operationsState, standing.isPasswordWanted ?? false);
	const line = keysLine(
		{ screen, keyContext: place, width, now, theme },
		shown,
		{
			...operationsState,
			countdown: undefined,
			matchCount: shown.rows.length,
			problem: undefined,
			hiddenMarkCount: 0,
			...standing,
		},
		bindings,
	);
	return stripVTControlCharacters(line).trim();
}

test.each<[string, Partial<Screen>, RegExp, RegExp]>([
	['the table', {}, /^x stop {2}r restart {2}u update .*q quit {2}\? help$/, /back| {2}start/],
	['details', { isDetailOpen: true }, /esc back/, /^$/],
	['versions', { view: 'versions' }, /^u update all that are behind .*esc back/, /stop|filter/],
	['models', { view: 'models' }, /^: command .*esc back/, /filter|update/],
	['help', { isHelpOpen: true }, /^q quit {2}esc back {2}\? help$/, /stop/],
	['the palette', { palette: { text: '', found: 0, index: 0 } }, /^esc back$/, /stop/],
	['a question', { confirmation: { about: 'leave', openedAt: now, askedWith: 'q' } }, /^$/, /\w/],
])('only keys that apply now are hinted: %s', (_, change, right, wrong) => {
	expect(hints(change)).toMatch(right);
	expect(hints(change)).not.toMatch(wrong);
});

test('no key is hinted while a password is being typed', () => {
	expect(hints({}, 120, { isPasswordWanted: true })).toBe('');
});

const said = (text: string, age = 0) => ({ text, at: now - age });

test('the help key is hinted even where other hints have no room', () => {
	const text = 'something that takes as much room as this does, and then some more of it';
	expect(hints({ notice: said(text) })).toMatch(/^x stop .*\? help {3,}something/);
	expect(hints({ notice: said('copied') }, 60)).toMatch(/^\? help/);
});

test('a notice is shown for a while and hides no lasting state', () => {
	const marks = new Set(['sb_1']);
	const holding = { marks, filter: 'status:active' };
	expect(hints({ ...holding, notice: said('nothing was done') })).toMatch(
		/ {2}nothing was done {2}1 marked {2}\/status:active$/,
	);
	expect(hints({ ...holding, notice: said('nothing was done', 8_000) })).toMatch(
		/\? help {2,}1 marked {2}\/status:active$/,
	);
});

test('a countdown stays visible beside a notice, at any width, and while typing', () => {
	const countdown = 'Stopping atlas in 4 s, Esc to cancel';
	for (const width of [200, 120, 80, 60]) {
		const notice = said('copied sb_1 and something more than that');
		expect(hints({ notice }, width, { countdown }), `${width}`).toContain(countdown);
		expect(hints({ isFiltering: true, filter: 'at' }, width, { countdown })).toMatch(
			/^\/at.* Stopping atlas in 4 s, Esc to cancel$/,
		);
	}
});

test.each<[string, boolean, Partial<Screen>, Partial<Standing>]>([
	['nothing else is open', true, {}, {}],
	['something is marked', false, { marks: new Set(['sb_1']) }, {}],
	['details are open', false, { isDetailOpen: true }, {}],
	['something counts down', false, {}, { countdown: 'Stopping atlas in 4 s, Esc to cancel' }],
	['the log is filtered', true, { view: 'log', logFilter: 'you', marks: new Set(['sb_1']) }, {}],
	['help is open', false, { isHelpOpen: true }, {}],
])(
	'the hint that Esc clears the filter is shown only when it does: %s',
	(_, does, change, standing) => {
		const line = hints({ filter: 'atlas', ...change }, 200, standing);
		expect(line).toMatch(/\/(atlas|you)/);
		expect(line.includes('(esc clears)')).toBe(does);
	},
);

test('a filter being typed shows how many rows of its view match', () => {
	expect(
		hints({ view: 'log', isFiltering: true, logFilter: 'you' }, 80, { matchCount: 7 }),
	).toMatch(/^\/you.* 7 shown$/);
});
