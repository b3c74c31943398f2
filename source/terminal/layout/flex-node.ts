import type { LengthMode, Measurement } from './flex-room.ts';

export const horizontal = 0;
export const vertical = 1;
/** An axis of the screen. It is the index of everything that has a value for each axis. */
export type Axis = typeof horizontal | typeof vertical;

type MeasureText = (
	width: number,
	widthMode: LengthMode,
	height: number,
	heightMode: LengthMode,
) => { width: number; height: number };

// Yoga's numbers. The edges left, top, right and bottom are 0 to 3.
const [bothSides, topAndBottom, allEdges] = [6, 7, 8];
const bothGutters = 2;
const columnReverse = 1;
const rowReverse = 3;
const hidden = 1;
const absolute = 2;
const withoutWrap = 0;

/**
 * A box or a text of the layout, with the methods of Yoga's nodes that Ink calls. It knows only the styles that
 * this program uses: lengths, paddings, borders, gaps, rows and columns that grow and shrink, and boxes at a
 * fixed place. Any other style throws.
 */
export class FlexNode {
	readonly children: FlexNode[] = [];
	parent: FlexNode | undefined;
	measure: MeasureText | undefined;

	/** The lengths that the style sets; NaN where it sets none. */
	private readonly lengths: [number, number] = [Number.NaN, Number.NaN];
	private widthPercent = Number.NaN;
	private readonly paddings: number[] = [];
	private readonly borders: number[] = [];
	private readonly insets: number[] = [];
	private readonly gaps: number[] = [];
	private direction = 0;
	private display = 0;
	grow = 0;
	shrink = 0;
	isAbsolute = false;
	/** The cells of padding and border before and after the content, on each axis. */
	readonly starts: [number, number] = [0, 0];
	readonly ends: [number, number] = [0, 0];

	/** The last final layout, and measurements that were made since the node has changed. */
	lastLayout: Measurement | undefined;
	readonly measurements: Measurement[] = [];
	/** The length on the main axis of the parent before the node grows or shrinks. */
	basis = 0;
	/** The size of the last measurement. */
	readonly measured: [number, number] = [0, 0];
	/** The size and the place in the layout. Both may be fractions. */
	readonly sizes: [number, number] = [0, 0];
	readonly places: [number, number] = [0, 0];
	/** The place and the size in whole cells. */
	readonly cells = { left: 0, top: 0, width: 0, height: 0 };

	get mainAxis(): Axis {
		return this.direction <= columnReverse ? vertical : horizontal;
	}
	get isReversed(): boolean {
		return this.direction === columnReverse || this.direction === rowReverse;
	}
	get isHidden(): boolean {
		return this.display === hidden;
	}

	/** Returns the length that the style sets on an axis; NaN if there is none. */
	lengthOn(axis: Axis, ownerLength: number): number {
		if (axis === vertical || Number.isNaN(this.widthPercent)) return this.lengths[axis];
		return (ownerLength * this.widthPercent) / 100;
	}
	isPercentOn(axis: Axis): boolean {
		return axis === horizontal && !Number.isNaN(this.widthPercent);
	}
	gapOn(axis: Axis): number {
		return this.gaps[axis] ?? this.gaps[bothGutters] ?? 0;
	}
	/** Returns the distance of an absolute box from the border of its parent. */
	insetOn(axis: Axis): number {
		const inset = this.insets[axis];
		if (inset === undefined) throw new Error('An absolute box needs both left and top.');
		return inset + (this.parent?.getComputedBorder(axis) ?? 0);
	}

	setMeasureFunc(measure: MeasureText): void {
		this.measure = measure;
		this.markDirty();
	}
	unsetMeasureFunc(): void {
		this.measure = undefined;
	}
	getChildCount(): number {
		return this.children.length;
	}
	getChild(index: number): FlexNode | undefined {
		return this.children[index];
	}
	insertChild(child: FlexNode, index: number): void {
		this.children.splice(index, 0, child);
		child.parent = this;
		this.markDirty();
	}
	removeChild(child: FlexNode): void {
		this.children.splice(this.children.indexOf(child), 1);
		child.parent = undefined;
		this.markDirty();
	}
	free(): void {}
	freeRecursive(): void {}

	/** Forgets the measurements of this node and of the boxes around it. */
	markDirty(): void {
		let node: FlexNode | undefined = this;
		while (node) {
			node.lastLayout = undefined;
			node.measurements.length = 0;
			node = node.parent;
		}
	}

	setWidth(cells: number | undefined): void {
		this.setLength(horizontal, cells, undefined);
	}
	setWidthPercent(percent: number): void {
		this.setLength(horizontal, undefined, percent);
	}
	setWidthAuto(): void {
		this.setWidth(undefined);
	}
	setHeight(cells: number | undefined): void {
		this.setLength(vertical, cells, undefined);
	}
	setHeightAuto(): void {
		this.setHeight(undefined);
	}
	private setLength(axis: Axis, cells = Number.NaN, percent = Number.NaN): void {
		const isSame = Object.is(this.lengths[axis], cells);
		if (isSame && (axis === vertical || Object.is(this.widthPercent, percent))) return;
		this.lengths[axis] = cells;
		if (axis === horizontal) this.widthPercent = percent;
		this.markDirty();
	}

	setPadding(edge: number, cells: number | undefined): void {
		this.setEdge(this.paddings, edge, cells);
	}
	setBorder(edge: number, cells: number | undefined): void {
		this.setEdge(this.borders, edge, cells);
	}
	setPosition(edge: number, cells: number | undefined): void {
		if (edge > vertical) throw unsupported('setPosition');
		this.setEdge(this.insets, edge, cells);
	}
	setGap(gutter: number, cells: number | undefined): void {
		this.setEdge(this.gaps, gutter, cells);
	}
	private setEdge(edges: number[], edge: number, cells: number | undefined): void {
		if (cells === undefined) delete edges[edge];
		else edges[edge] = cells;
		for (const axis of [horizontal, vertical] as const) {
			this.starts[axis] = this.getComputedPadding(axis) + this.getComputedBorder(axis);
			this.ends[axis] = this.getComputedPadding(axis + 2) + this.getComputedBorder(axis + 2);
		}
		this.markDirty();
	}

	setFlexDirection(direction: number): void {
		this.direction = direction;
		this.markDirty();
	}
	setFlexGrow(grow: number): void {
		this.grow = grow;
		this.markDirty();
	}
	setFlexShrink(shrink: number): void {
		this.shrink = shrink;
		this.markDirty();
	}
	setFlexWrap(wrap: number): void {
		if (wrap !== withoutWrap) throw unsupported('setFlexWrap');
	}
	setPositionType(type: number): void {
		this.isAbsolute = type === absolute;
		this.markDirty();
	}
	setDisplay(display: number): void {
		this.display = display;
		this.markDirty();
	}
	getDisplay(): number {
		return this.display;
	}

	getComputedLeft(): number {
		return this.cells.left;
	}
	getComputedTop(): number {
		return this.cells.top;
	}
	getComputedWidth(): number {
		return this.cells.width;
	}
	getComputedHeight(): number {
		return this.cells.height;
	}
	getComputedPadding(edge: number): number {
		return cellsOn(this.paddings, edge);
	}
	getComputedBorder(edge: number): number {
		return cellsOn(this.borders, edge);
	}
	getComputedMargin(): number {
		return 0;
	}
}

function cellsOn(edges: readonly number[], edge: number): number {
	const both = edge % 2 === horizontal ? bothSides : topAndBottom;
	return edges[edge] ?? edges[both] ?? edges[allEdges] ?? 0;
}

const unsupported = (method: string) =>
	new Error(`The layout of this program does not support ${method} with this value.`);

/** Returns the length of a node that is at least as long as its padding and its border. */
export function boundLength(node: FlexNode, axis: Axis, length: number): number {
	const frame = node.starts[axis] + node.ends[axis];
	return length >= frame ? length : frame;
}
