import fc from 'fast-check';
import { expect, test } from 'vitest';
import type Yoga from 'yoga-layout';
import type { FlexNode } from '../../source/terminal/layout/flex-node.ts';
import { runs } from '../properties/runs.ts';
import { loadBoth } from './both.ts';

const { original, replaced } = await loadBoth<{ default: typeof Yoga }>(
	'yoga-layout/dist/src/index.js',
);

type Box = {
	width: number | '100%' | undefined;
	height: number | undefined;
	direction: 0 | 1 | 2 | 3;
	grow: number;
	shrink: number;
	padding: number;
	border: number;
	gap: number;
	place: { left: number; top: number } | undefined;
	isHidden: boolean;
	/** A box without children is measured like a text of this number of letters; undefined if the box is empty. */
	letters: number | undefined;
	children: Box[];
};

const length = (most: number) =>
	fc.option(fc.integer({ min: 0, max: most }), { nil: undefined, freq: 2 });

const { box } = fc.letrec<{ box: Box }>(tie => ({
	box: fc.record({
		width: fc.oneof({ weight: 4, arbitrary: length(60) }, fc.constant<'100%'>('100%')),
		height: length(20),
		direction: fc.constantFrom(0, 1, 2, 3),
		grow: fc.constantFrom(0, 0, 1, 2, 0.4),
		shrink: fc.constantFrom(1, 1, 1, 0, 2),
		padding: fc.constantFrom(0, 0, 0, 1, 2),
		border: fc.constantFrom(0, 0, 0, 1),
		gap: fc.constantFrom(0, 0, 1, 2),
		place: fc.oneof(
			{ weight: 5, arbitrary: fc.constant(undefined) },
			{
				weight: 1,
				arbitrary: fc.record({
					left: fc.integer({ min: -3, max: 20 }),
					top: fc.integer({ min: -3, max: 20 }),
				}),
			},
		),
		isHidden: fc.constantFrom(false, false, false, false, false, true),
		letters: fc.option(fc.integer({ min: 0, max: 80 }), { nil: undefined }),
		children: fc.oneof(
			{ depthSize: 'small', withCrossShrink: true },
			fc.constant<Box[]>([]),
			fc.array(tie('box'), { maxLength: 4 }),
		),
	}),
}));

type Node = ReturnType<(typeof Yoga)['Node']['create']>;

function nodeOf(yoga: typeof Yoga, box: Box): Node {
	const node = yoga.Node.create();
	setStyles(node, box);
	for (const [at, child] of box.children.entries()) node.insertChild(nodeOf(yoga, child), at);
	if (box.children.length === 0 && box.letters !== undefined) setLetters(node, box.letters);
	return node;
}

const edge = { left: 0, top: 1, all: 8 } as const;

function setStyles(node: Node, { width, height, place, ...box }: Box) {
	if (typeof width === 'string') node.setWidthPercent(100);
	else node.setWidth(width);
	node.setHeight(height);
	node.setFlexDirection(box.direction);
	node.setFlexGrow(box.grow);
	node.setFlexShrink(box.shrink);
	node.setFlexWrap(0);
	node.setPadding(edge.all, box.padding);
	node.setBorder(edge.all, box.border);
	node.setGap(2, box.gap);
	node.setDisplay(box.isHidden ? 1 : 0);
	node.setPositionType(place ? 2 : 1);
	node.setPosition(edge.left, place?.left);
	node.setPosition(edge.top, place?.top);
}

/** A text takes one line if it may be as wide as it likes, and is wrapped within its width otherwise. */
function setLetters(node: Node, letters: number) {
	node.setMeasureFunc(width => ({
		width: Number.isNaN(width) ? letters : Math.min(width, letters),
		height: Number.isNaN(width) ? 1 : Math.max(1, Math.ceil(letters / Math.max(1, width))),
	}));
}

function placesOf(node: Node): object {
	if (node.getDisplay() === 1) return { isHidden: true };
	const { children } = childrenOf(node);
	return {
		left: node.getComputedLeft(),
		top: node.getComputedTop(),
		width: node.getComputedWidth(),
		height: node.getComputedHeight(),
		border: node.getComputedBorder(edge.left),
		padding: node.getComputedPadding(edge.top),
		children: children.map(placesOf),
	};
}

function childrenOf(node: Node) {
	const children = Array.from({ length: node.getChildCount() }, (_, at) => node.getChild(at));
	return { children };
}

/** Returns the tree with other styles and another text for the box at the path. */
function changed(tree: Box, [step, ...path]: readonly number[], to: Box): Box {
	const { children, letters } = tree;
	if (step === undefined || children.length === 0) {
		return { ...to, children, letters: letters === undefined ? undefined : (to.letters ?? 3) };
	}
	const place = step % children.length;
	return {
		...tree,
		children: children.map((child, at) => (at === place ? changed(child, path, to) : child)),
	};
}

/** Changes the nodes of a tree whose styles or texts differ. */
function change(node: Node, before: Box, after: Box) {
	if (before === after) return;
	setStyles(node, after);
	const { children } = childrenOf(node);
	for (const [at, child] of children.entries()) {
		const [one, other] = [before.children[at], after.children[at]];
		if (one && other) change(child, one, other);
	}
	if (children.length > 0 || after.letters === undefined) return;
	setLetters(node, after.letters);
	node.markDirty();
}

/** Whether no length had to be rounded. Yoga may round a text by an earlier measurement, and our views need no rounding. */
function isWhole({ sizes, places, children }: FlexNode): boolean {
	return [...sizes, ...places].every(Number.isInteger) && children.every(isWhole);
}

// Yoga rounds lengths in place, and uses the rounded lengths when a tree is laid out again. So a changed tree is
// compared with a newly created tree of Yoga.
test('the replaced layout places every tree of boxes like Yoga, also after a box has changed', () => {
	const size = fc.tuple(
		fc.constantFrom(80, 30, Number.NaN),
		fc.constantFrom(24, Number.NaN, Number.NaN),
	);
	/** The root has no styles, as in Ink. */
	const rooted = (yoga: typeof Yoga, tree: Box) => {
		const root = yoga.Node.create();
		root.insertChild(nodeOf(yoga, tree), 0);
		return root;
	};
	const placesIn = (root: Node, [width, height]: [number, number]) => {
		root.calculateLayout(width, height, 1);
		return placesOf(root);
	};
	let compared = 0;
	fc.assert(
		fc.property(box, fc.array(fc.nat(9), { maxLength: 4 }), box, size, (tree, path, to, size) => {
			const next = changed(tree, path, to);
			const expected = [tree, next].map(each => placesIn(rooted(original.default, each), size));
			const root = rooted(replaced.default, tree);
			const first = placesIn(root, size);
			const isFirstWhole = isWhole(root as unknown as FlexNode);
			change(root.getChild(0), tree, next);
			const second = placesIn(root, size);
			if (isFirstWhole) expect(first).toEqual(expected[0]);
			if (isWhole(root as unknown as FlexNode)) expect(second).toEqual(expected[1]);
			compared += Number(isFirstWhole);
		}),
		runs(200),
	);
	expect(compared).toBeGreaterThan(100);
});

test('the replaced layout refuses a style that it would ignore', () => {
	const node = replaced.default.Node.create();
	expect(() => node.setFlexWrap(1)).toThrow('does not support setFlexWrap');
	expect(() => node.setMargin(edge.all, 1)).toThrow();
});

test('the replaced layout has the same constants as Yoga', () => {
	const plain = ({ default: yoga, ...named }: typeof original) => ({
		named,
		constants: Object.entries(yoga).filter(([, value]) => typeof value === 'number'),
	});
	expect(plain(replaced)).toEqual(plain(original));
});

test('a tree in which nothing has changed is not laid out again', () => {
	const { Node } = replaced.default;
	const [root, child] = [Node.create(), Node.create()];
	child.setHeight(2);
	root.insertChild(child, 0);
	const layOut = () => root.calculateLayout(40, 10);
	layOut();
	const { cells } = child as unknown as FlexNode;
	cells.height = 7;
	layOut();
	expect(child.getComputedHeight()).toBe(7);
	child.setHeight(3);
	layOut();
	expect(child.getComputedHeight()).toBe(3);
});
