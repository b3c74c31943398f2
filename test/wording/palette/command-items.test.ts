import { expect, test } from 'vitest';
import type { Binding } from '../../../source/keys/binding.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { findItems } from './palette-fleet.ts';

const paletteItems = (some: readonly Binding[], typed: string) =>
	findItems(typed, { bindings: some, names: [] });

const first = (typed: string) => paletteItems(bindings, typed)[0]?.intent;

test('the palette finds each operation by its whole help text', () => {
	for (const { intent, contexts: places, help } of bindings) {
		if (intent.type !== 'ask' || !places.includes('fleet')) continue;
		expect(paletteItems(bindings, help).map(each => each.intent)).toContain(intent);
	}
});

test.each([
	['stop', { type: 'ask', operation: 'stop', key: 'x' }],
	['STO', { type: 'ask', operation: 'stop', key: 'x' }],
	['del', { type: 'ask', operation: 'delete', key: 'D' }],
	['upd', { type: 'ask', operation: 'update', key: 'u' }],
	['show billing', { type: 'move', move: { type: 'view', view: 'billing' } }],
	['credit', { type: 'move', move: { type: 'view', view: 'billing' } }],
	['plan', { type: 'move', move: { type: 'view', view: 'billing' } }],
	['quit', { type: 'quit', key: '' }],
	['port unpub', { type: 'ask', operation: 'unpublish', key: 'P' }],
	['shbil', { type: 'move', move: { type: 'view', view: 'billing' } }],
	['rstrt', { type: 'ask', operation: 'restart', key: 'r' }],
	['public addr', { type: 'copy', content: 'address' }],
])('the palette finds the expected action first for the typed text “%s”', (typed, intent) => {
	expect(first(typed)).toEqual(intent);
});

test('letters that are scattered over several words of a label do not match', () => {
	const watching = bindings.filter(({ intent }) => intent.type !== 'ask');
	const found = paletteItems(watching, 'stop')
		.filter(({ id }) => id.startsWith('key '))
		.map(({ label }) => label);
	expect(found.filter(label => !/\bstop/i.test(label))).toEqual([]);
	expect(paletteItems(watching, 'delete')).toEqual([]);
});

test('a refused action is listed when its name is typed, and hidden when nothing is typed', () => {
	const marked = bindings.map(each => ({ ...each, isRefused: each.intent.type === 'ask' }));
	expect(paletteItems(marked, 'stop')[0]).toMatchObject({
		label: expect.stringMatching(/^Stop computers/),
		isRefused: true,
	});
	expect(paletteItems(marked, '').some(({ isRefused }) => isRefused)).toBe(false);
});

test('every label in the palette begins with a capital letter', () => {
	for (const { label } of paletteItems(bindings, '')) expect(label).toMatch(/^[A-Z]/);
});

test('the palette lists nothing when no label matches the typed text', () => {
	expect(paletteItems(bindings, 'xyzzy')).toEqual([]);
	expect(paletteItems(bindings, ' > ')).toEqual([]);
	expect(paletteItems(bindings, '').length).toBeGreaterThan(10);
});
