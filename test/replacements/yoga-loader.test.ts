import fc from 'fast-check';
import { expect, test } from 'vitest';
import type Yoga from 'yoga-layout';
import { runs } from '../properties/runs.ts';
import { both } from './both.ts';

const { original, replaced } = await both<{ default: typeof Yoga }>(
	'yoga-layout/dist/src/index.js',
);

type Box = {
	width: number | `${number}%` | 'auto';
	height: number | undefined;
	direction: 0 | 1 | 2 | 3;
	grow: number;
	shrink: number;
	padding: number;
	margin: number;
	gap: number;
	justify: 0 | 1 | 2 | 3 | 4 | 5;
	align: 0 | 1 | 2 | 3 | 4;
	wrap: 0 | 1 | 2;
	/** Leaves of the layout measure themselves as texts do. */
	letters: number;
	children: Box[];
};

const { box } = fc.letrec<{ box: Box }>(tie => ({
	box: fc.record({
		width: fc.oneof(
			fc.integer({ min: 0, max: 60 }),
			fc.integer({ min: 0, max: 120 }).map((share): `${number}%` => `${share}%`),
			fc.constant<'auto'>('auto'),
		),
		height: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
		direction: fc.constantFrom(0, 1, 2, 3),
		grow: fc.integer({ min: 0, max: 2 }),
		shrink: fc.integer({ min: 0, max: 2 }),
		padding: fc.integer({ min: 0, max: 2 }),
		margin: fc.integer({ min: 0, max: 2 }),
		gap: fc.integer({ min: 0, max: 2 }),
		justify: fc.constantFrom(0, 1, 2, 3, 4, 5),
		align: fc.constantFrom(0, 1, 2, 3, 4),
		wrap: fc.constantFrom(0, 1, 2),
		letters: fc.integer({ min: 0, max: 80 }),
		children: fc.oneof(
			{ depthSize: 'small', withCrossShrink: true },
			fc.constant<Box[]>([]),
			fc.array(tie('box'), { maxLength: 4 }),
		),
	}),
}));

function nodeOf(yoga: typeof Yoga, box: Box) {
	const node = yoga.Node.create();
	node.setWidth(box.width);
	node.setHeight(box.height);
	node.setFlexDirection(box.direction);
	node.setFlexGrow(box.grow);
	node.setFlexShrink(box.shrink);
	node.setPadding(8, box.padding);
	node.setMargin(8, box.margin);
	node.setGap(2, box.gap);
	node.setJustifyContent(box.justify);
	node.setAlignItems(box.align);
	node.setFlexWrap(box.wrap);
	for (const [at, child] of box.children.entries()) node.insertChild(nodeOf(yoga, child), at);
	if (box.children.length === 0) {
		node.setMeasureFunc(width => ({
			width: Math.min(width, box.letters),
			height: Math.ceil(box.letters / Math.max(1, width)),
		}));
	}
	return node;
}

type Node = ReturnType<typeof nodeOf>;

function placesOf(node: Node): object {
	const children = Array.from({ length: node.getChildCount() }, (_, at) => node.getChild(at));
	return { ...node.getComputedLayout(), children: children.map(placesOf) };
}

test('Yoga, loaded by the replacement, lays out every tree of boxes like the original', () => {
	const placed = (yoga: typeof Yoga, box: Box) => {
		const node = nodeOf(yoga, box);
		node.calculateLayout(80, 24, 1);
		const places = placesOf(node);
		node.freeRecursive();
		return places;
	};
	fc.assert(
		fc.property(box, box => {
			expect(placed(replaced.default, box)).toEqual(placed(original.default, box));
		}),
		runs(60),
	);
});

test('Yoga, loaded by the replacement, has the same constants as the original', () => {
	const plain = ({ default: yoga, ...named }: typeof original) => ({
		named,
		constants: Object.entries(yoga).filter(([, value]) => typeof value === 'number'),
	});
	expect(plain(replaced)).toEqual(plain(original));
});
