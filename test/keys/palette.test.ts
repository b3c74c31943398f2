import { expect, test } from 'vitest';
import { bindings } from '../../source/keys/bindings.ts';
import { paletteItems } from '../../source/keys/palette.ts';

const first = (typed: string) => paletteItems(bindings, typed)[0]?.intent;

test('everything that can be asked for is found by its name', () => {
	for (const { intent, places, help } of bindings) {
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
	['quit', { type: 'quit', key: 'q' }],
])('%s', (typed, intent) => {
	expect(first(typed)).toEqual(intent);
});

test('what nothing is called finds nothing', () => {
	expect(paletteItems(bindings, 'xyzzy')).toEqual([]);
	expect(paletteItems(bindings, '').length).toBeGreaterThan(10);
});
