type Size = { width: number; height: number };

/** Ink reads neither the height nor its mode. */
type MeasureText = (width: number, widthMode: 2, height: number, heightMode: 0) => Size;

const leftEdge = 0;
const hidden = 1;
const firstRowDirection = 2;
const absolute = 2;

/** Lays out what our views use, with the methods of Yoga's nodes that Ink calls for it. Everything fits, so nothing shrinks. */
export class StackNode {
	private readonly children: StackNode[] = [];
	private measure: MeasureText | undefined;
	private isRow = false;
	private isAbsolute = false;
	private isHidden = false;
	private ownWidth: number | 'of the parent' | undefined;
	private ownHeight: number | undefined;
	private left = 0;
	private top = 0;
	private width = 0;
	private height = 0;

	static create(): StackNode {
		return new StackNode();
	}

	setMeasureFunc(measure: MeasureText) {
		this.measure = measure;
	}
	unsetMeasureFunc() {
		this.measure = undefined;
	}
	insertChild(child: StackNode, index: number) {
		this.children.splice(index, 0, child);
	}
	removeChild(child: StackNode) {
		this.children.splice(this.children.indexOf(child), 1);
	}
	getChildCount(): number {
		return this.children.length;
	}

	setFlexDirection(direction: number) {
		this.isRow = direction >= firstRowDirection;
	}
	setPositionType(type: number) {
		this.isAbsolute = type === absolute;
	}
	setPosition(edge: number, cells = 0) {
		if (edge === leftEdge) this.left = cells;
		else this.top = cells;
	}
	setDisplay(display: number) {
		this.isHidden = display === hidden;
	}
	setWidth(width: number) {
		this.ownWidth = width;
	}
	setWidthAuto() {
		this.ownWidth = undefined;
	}
	/** The only share that our views use is all of the parent. */
	setWidthPercent(_percent: 100) {
		this.ownWidth = 'of the parent';
	}
	setHeight(height: number) {
		this.ownHeight = height;
	}
	setHeightAuto() {
		this.ownHeight = undefined;
	}
	/** Ink sets these three for every box and text. Where everything fits, they have no effect. */
	setFlexGrow() {}
	setFlexShrink() {}
	setFlexWrap() {}

	getDisplay(): number {
		return Number(this.isHidden);
	}
	getComputedLeft(): number {
		return this.left;
	}
	getComputedTop(): number {
		return this.top;
	}
	getComputedWidth(): number {
		return this.width;
	}
	getComputedHeight(): number {
		return this.height;
	}
	getComputedPadding(): number {
		return 0;
	}
	getComputedBorder(): number {
		return 0;
	}

	/** Ink gives the root a width, and leaves its height open. */
	calculateLayout() {
		this.layOut(0, true);
	}
	/** The tree is laid out whenever Ink asks, so no node needs to be marked or freed. */
	markDirty() {}
	free() {}
	freeRecursive() {}

	private layOut(room: number, isExact: boolean) {
		const own = this.ownWidth === 'of the parent' ? room : this.ownWidth;
		const fixed = own ?? (isExact ? room : undefined);
		const content = this.measure
			? this.measure(fixed ?? room, 2, Number.NaN, 0)
			: this.layOutChildren(fixed ?? room, fixed !== undefined);
		this.width = fixed ?? Math.min(room, content.width);
		this.height = this.ownHeight ?? content.height;
		// The children of a column are as wide as the widest of them.
		if (fixed === undefined && !this.isRow) this.layOutChildren(this.width, true);
		if (this.isRow) this.stretch(this.height);
		for (const child of this.children) if (child.isAbsolute) child.layOut(this.width, false);
	}

	private layOutChildren(room: number, isExact: boolean): Size {
		const size = { width: 0, height: 0 };
		for (const child of this.children) {
			if (child.isHidden || child.isAbsolute) continue;
			child.layOut(this.isRow ? room - size.width : room, isExact && !this.isRow);
			child.left = this.isRow ? size.width : 0;
			child.top = this.isRow ? 0 : size.height;
			size.width = this.isRow ? size.width + child.width : Math.max(size.width, child.width);
			size.height = this.isRow ? Math.max(size.height, child.height) : size.height + child.height;
		}
		return size;
	}

	private stretch(height: number) {
		this.height = this.ownHeight ?? height;
		if (!this.isRow) return;
		for (const child of this.children) if (!child.isAbsolute) child.stretch(this.height);
	}
}
