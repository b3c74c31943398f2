import { expect, test } from 'vitest';
import type Yoga from 'yoga-layout';
import { loadBoth } from './both.ts';

// Boxes in rows and columns are compared in `ink.test.ts`; the pictures of `test/screens` show fixed sizes and dialogs.

const { original, replaced } = await loadBoth<{ default: typeof Yoga }>(
	'yoga-layout/dist/src/index.js',
);

test('a child that is removed takes no place any more', () => {
	const [root, one, other] = [1, 2, 3].map(() => replaced.default.Node.create());
	for (const [at, child] of [one, other].entries()) {
		child?.setHeight(2);
		if (child) root?.insertChild(child, at);
	}
	root?.calculateLayout(undefined, undefined);
	expect([other?.getComputedTop(), root?.getComputedHeight()]).toEqual([2, 4]);
	if (one) root?.removeChild(one);
	root?.calculateLayout(undefined, undefined);
	expect([other?.getComputedTop(), root?.getComputedHeight()]).toEqual([0, 2]);
});

test('a style that the layout does not know fails', () => {
	const node = replaced.default.Node.create();
	expect(() => node.setMargin(8, 1)).toThrow('setMargin');
	expect(() => node.setPadding(8, 1)).toThrow('setPadding');
});

test('the replaced layout has the same constants as Yoga', () => {
	const plain = ({ default: yoga, ...named }: typeof original) => ({
		named,
		constants: Object.entries(yoga).filter(([, value]) => typeof value === 'number'),
	});
	expect(plain(replaced)).toEqual(plain(original));
});
