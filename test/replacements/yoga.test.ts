import fc from 'fast-check';
import { expect, test } from 'vitest';
import type Yoga from 'yoga-layout';
import { runs } from '../runs.ts';
import { loadBoth } from './both.ts';

const { original, replaced } = await loadBoth<{ default: typeof Yoga }>(
	'yoga-layout/dist/src/index.js',
);

/** A box or a text with the styles that our views use. */
type Box = {
	width: number | '100%' | undefined;
	height: number | undefined;
	isRow: boolean;
	place: { left: number; top: number } | undefined;
	isHidden: boolean;
	/** The size of a text; undefined for a box. */
	text: { width: number; height: number } | undefined;
	children: readonly Box[];
};

const box: Omit<Box, 'children'> = {
	width: undefined,
	height: undefined,
	isRow: false,
	place: undefined,
	isHidden: false,
	text: undefined,
};

const styles = fc
	.record({
		width: fc.constantFrom(undefined, undefined, 8, 20, 40),
		height: fc.constantFrom(undefined, undefined, 1, 6, 15),
		isRow: fc.boolean(),
		place: fc.oneof(
			{ weight: 5, arbitrary: fc.constant(undefined) },
			{ weight: 1, arbitrary: fc.record({ left: fc.nat(20), top: fc.nat(20) }) },
		),
		isHidden: fc.constantFrom(false, false, false, false, false, true),
	})
	.map(each => ({ ...each, width: each.place ? 20 : each.width }));

const text = fc.record({ width: fc.nat(12), height: fc.integer({ min: 1, max: 2 }) });

const { tree } = fc.letrec<{ tree: Box }>(tie => ({
	tree: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		fc.tuple(fc.boolean(), text).map(([isHidden, size]): Box => {
			return { ...box, isHidden: isHidden && size.width === 3, text: size, children: [] };
		}),
		fc
			.record({ styles, children: fc.array(tie('tree'), { maxLength: 4 }) })
			.map(({ styles, children }): Box => ({ ...box, ...styles, children })),
	),
}));

type Node = ReturnType<(typeof Yoga)['Node']['create']>;

/** Creates the nodes as Ink does: everything shrinks. */
function nodeOf(yoga: typeof Yoga, box: Box, shrink = 1): Node {
	const node = yoga.Node.create();
	setStyles(node, box, shrink);
	for (const [at, child] of box.children.entries())
		node.insertChild(nodeOf(yoga, child, shrink), at);
	return node;
}

const edge = { left: 0, top: 1 } as const;

function setStyles(node: Node, box: Box, shrink: number) {
	if (box.width === '100%') node.setWidthPercent(100);
	else if (box.width === undefined) node.setWidthAuto();
	else node.setWidth(box.width);
	if (box.height === undefined) node.setHeightAuto();
	else node.setHeight(box.height);
	node.setFlexDirection(box.isRow ? 2 : 0);
	node.setFlexGrow(0);
	node.setFlexShrink(shrink);
	node.setFlexWrap(0);
	node.setDisplay(box.isHidden ? 1 : 0);
	node.setPositionType(box.place ? 2 : 1);
	node.setPosition(edge.left, box.place?.left);
	node.setPosition(edge.top, box.place?.top);
	const { text } = box;
	// A text that is too long is cut.
	if (text)
		node.setMeasureFunc(width => ({
			...text,
			width: Number.isNaN(width) ? text.width : Math.min(width, text.width),
		}));
}

function placesOf(node: Node, box: Box): object {
	if (box.isHidden) return { isHidden: true };
	return {
		left: node.getComputedLeft(),
		top: node.getComputedTop(),
		width: node.getComputedWidth(),
		height: node.getComputedHeight(),
		children: box.children.map((child, at) => placesOf(childOf(node, at), child)),
	};
}

/** Our nodes show their children to nobody. */
const childOf = (node: Node, at: number) => {
	const { children } = node as unknown as { children?: readonly Node[] };
	return children?.[at] ?? node.getChild(at);
};

function placesIn(root: Node, tree: Box): object {
	root.setWidth(60);
	root.calculateLayout(undefined, undefined, 1);
	return placesOf(root, { ...box, children: [tree] });
}

function placesWith(yoga: typeof Yoga, tree: Box, shrink?: number): object {
	const root = yoga.Node.create();
	root.insertChild(nodeOf(yoga, tree, shrink), 0);
	return placesIn(root, tree);
}

/** The outermost box of our views is as wide as the terminal. */
const wholeScreen = (tree: Box): Box => ({ ...box, width: '100%', height: 30, children: [tree] });

/** Returns where Yoga places a tree; undefined if some of it does not fit, so that Yoga has to shrink it. */
function expectedPlaces(tree: Box): object | undefined {
	const [shrunk, whole] = [1, 0].map(shrink => placesWith(original.default, tree, shrink));
	return JSON.stringify(shrunk) === JSON.stringify(whole) ? shrunk : undefined;
}

/** Returns the tree with other styles, or another text, for the box at the path. */
function changed(tree: Box, [step, ...path]: readonly number[], to: Box): Box {
	const { children } = tree;
	if (tree.text) return { ...tree, text: to.text ?? { width: 5, height: 1 } };
	if (step === undefined || children.length === 0) return { ...to, text: undefined, children };
	const place = step % children.length;
	return {
		...tree,
		children: children.map((child, at) => (at === place ? changed(child, path, to) : child)),
	};
}

function change(node: Node, before: Box, after: Box) {
	if (before === after) return;
	setStyles(node, after, 1);
	for (const [at, child] of after.children.entries())
		change(childOf(node, at), before.children[at] ?? child, child);
}

test('boxes that fit are placed like Yoga places them, also after a box or a text has changed', () => {
	let compared = 0;
	fc.assert(
		fc.property(tree, fc.array(fc.nat(9), { maxLength: 4 }), tree, (inner, path, to) => {
			const [tree, next] = [inner, changed(inner, path, to)].map(wholeScreen) as [Box, Box];
			const [first, second] = [tree, next].map(expectedPlaces);
			const root = replaced.default.Node.create();
			const node = nodeOf(replaced.default, tree);
			root.insertChild(node, 0);
			const places = placesIn(root, tree);
			if (first) expect(places).toEqual(first);
			change(node, tree, next);
			const later = placesIn(root, next);
			if (second) expect(later).toEqual(second);
			compared += Number(first !== undefined && inner.children.length > 1);
		}),
		runs(400),
	);
	expect(compared).toBeGreaterThan(50);
});

test.each([true, false])(
	'a line that is too long is cut at the width of its box (row: %s)',
	isRow => {
		const line = { ...box, text: { width: 99, height: 1 }, children: [] };
		const tree = { ...box, isRow, children: [line] };
		expect(placesWith(replaced.default, tree)).toEqual(placesWith(original.default, tree));
	},
);

test('a child that is removed takes no place any more', () => {
	const [root, one, other] = Array.from({ length: 3 }, () => replaced.default.Node.create());
	if (!root || !one || !other) return;
	for (const [at, child] of [one, other].entries()) {
		child.setHeight(2);
		root.insertChild(child, at);
	}
	root.calculateLayout(undefined, undefined);
	expect([other.getComputedTop(), root.getComputedHeight()]).toEqual([2, 4]);
	root.removeChild(one);
	root.calculateLayout(undefined, undefined);
	expect([other.getComputedTop(), root.getComputedHeight()]).toEqual([0, 2]);
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
