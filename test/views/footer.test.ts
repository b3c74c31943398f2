import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { bindings } from '../../source/keys/bindings.ts';
import { type Screen, screenOf } from '../../source/store/screen.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { keysLine } from '../../source/views/footer-text.ts';
import { layoutFor } from '../../source/views/layout.ts';
import { createShownOf } from '../../source/views/shown.ts';
import { now, theme } from './drawn.tsx';

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

function hints(change: Partial<Screen>, width = 120) {
	const screen = { ...screenOf('test'), ...change };
	const shown = createShownOf()({ account, screen, layout: layoutFor(width, 36), now });
	const picture = { question: undefined, isLocked: false, batches: [], checks: [] };
	const line = keysLine(
		{ screen, width, theme },
		shown,
		{ ...picture, countdown: undefined },
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
])('only keys that hold now are hinted at: %s', (_, change, right, wrong) => {
	expect(hints(change)).toMatch(right);
	expect(hints(change)).not.toMatch(wrong);
});

test('where not all have room, the way to all of them has', () => {
	const notice = 'something that takes as much room as this does, and then some more of it';
	expect(hints({ notice })).toMatch(/^x stop .*\? help {3,}something/);
	expect(hints({ notice: 'copied' }, 60)).toMatch(/^\? help/);
});
