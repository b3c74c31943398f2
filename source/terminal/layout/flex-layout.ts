import { childrenInFlow, flexedLengths, onlyFlexibleIn, singlePrecision } from './flex-lengths.ts';
import { type Axis, boundLength, type FlexNode, horizontal, vertical } from './flex-node.ts';
import { hasKnownSize, isMeasurementFor, type LengthMode, lengthModes } from './flex-room.ts';
import { roundToCells } from './flex-rounding.ts';

// The algorithm is that of Yoga, for boxes of one line whose children are stretched: a length that is not known
// is NaN, and a measured size may be a fraction until the whole tree is rounded to cells. The functions take
// many parameters, because they are called a few hundred times for each frame, and objects would take longer.

const { unbounded, exact, atMost } = lengthModes;

/** Sizes and places all nodes of a tree, unless none has changed since the last layout. */
export function layOutTree(root: FlexNode, ownerWidth: number, ownerHeight: number): void {
	const width = lengthOr(ownerWidth, root.lengthOn(horizontal, ownerWidth));
	const height = lengthOr(ownerHeight, root.lengthOn(vertical, ownerHeight));
	const [widthMode, heightMode] = [modeOf(width), modeOf(height)];
	if (isMeasurementFor(root.lastLayout, width, height, widthMode, heightMode)) return;
	sizeNode(root, width, height, widthMode, heightMode, true);
	roundToCells(root, 0, 0);
}

const lengthOr = (other: number, length: number) => (Number.isNaN(length) ? other : length);
const modeOf = (length: number) => (Number.isNaN(length) ? unbounded : exact);

/**
 * Sizes a node in the room that it gets. With `isFinal`, its children are placed as well; otherwise they are only
 * measured.
 */
function sizeNode(
	node: FlexNode,
	width: number,
	height: number,
	widthMode: LengthMode,
	heightMode: LengthMode,
	isFinal: boolean,
): void {
	const { measured, sizes } = node;
	if (!isKnown(node, width, height, widthMode, heightMode, isFinal)) {
		if (node.measure) measureText(node, width, height, widthMode, heightMode);
		else if (node.children.length === 0) {
			measured[horizontal] = boundLength(node, horizontal, widthMode === exact ? width : 0);
			measured[vertical] = boundLength(node, vertical, heightMode === exact ? height : 0);
		} else if (!isFinal && hasKnownSize(width, height, widthMode, heightMode)) {
			measured[horizontal] = boundLength(node, horizontal, width);
			measured[vertical] = boundLength(node, vertical, height);
		} else sizeBox(node, width, height, widthMode, heightMode, isFinal);
		const [takenWidth, takenHeight] = measured;
		const known = { width, height, widthMode, heightMode, takenWidth, takenHeight };
		if (isFinal) node.lastLayout = known;
		else node.measurements.push(known);
	}
	if (!isFinal) return;
	sizes[horizontal] = measured[horizontal];
	sizes[vertical] = measured[vertical];
}

/**
 * Whether the node was already measured in the same room and has not changed since. Then the earlier size is used
 * again.
 */
function isKnown(
	{ lastLayout, measurements, measured, children }: FlexNode,
	width: number,
	height: number,
	widthMode: LengthMode,
	heightMode: LengthMode,
	isFinal: boolean,
): boolean {
	let known = lastLayout;
	if (!isMeasurementFor(known, width, height, widthMode, heightMode)) {
		if (isFinal && children.length > 0) return false;
		known = measurements.find(each => isMeasurementFor(each, width, height, widthMode, heightMode));
	}
	if (!known) return false;
	measured[horizontal] = known.takenWidth;
	measured[vertical] = known.takenHeight;
	return true;
}

function measureText(
	node: FlexNode,
	width: number,
	height: number,
	widthMode: LengthMode,
	heightMode: LengthMode,
): void {
	const { starts, ends, measured } = node;
	const frameWidth = starts[horizontal] + ends[horizontal];
	const frameHeight = starts[vertical] + ends[vertical];
	let contentWidth = Math.max(0, width - frameWidth);
	let contentHeight = Math.max(0, height - frameHeight);
	if (widthMode !== exact || heightMode !== exact) {
		const size = node.measure?.(
			widthMode === unbounded ? Number.NaN : contentWidth,
			widthMode,
			heightMode === unbounded ? Number.NaN : contentHeight,
			heightMode,
		);
		if (widthMode !== exact) contentWidth = Math.max(0, size?.width ?? 0);
		if (heightMode !== exact) contentHeight = Math.max(0, size?.height ?? 0);
	}
	measured[horizontal] = contentWidth + frameWidth;
	measured[vertical] = contentHeight + frameHeight;
}

/** Sizes a box by its children. */
function sizeBox(
	node: FlexNode,
	width: number,
	height: number,
	widthMode: LengthMode,
	heightMode: LengthMode,
	isFinal: boolean,
): void {
	const { starts, ends, measured, mainAxis: main } = node;
	const cross = main === horizontal ? vertical : horizontal;
	const innerWidth = Math.max(0, width - starts[horizontal] - ends[horizontal]);
	const innerHeight = Math.max(0, height - starts[vertical] - ends[vertical]);
	const [innerMain, innerCross] =
		main === horizontal ? [innerWidth, innerHeight] : [innerHeight, innerWidth];
	const [mainMode, crossMode] =
		main === horizontal ? [widthMode, heightMode] : [heightMode, widthMode];
	const flow = childrenInFlow(node.children);
	const gap = node.gapOn(main);

	const onlyFlexible = mainMode === exact ? onlyFlexibleIn(node.children) : undefined;
	let taken = gap * Math.max(0, flow.length - 1);
	for (const child of flow) {
		child.basis =
			child === onlyFlexible ? 0 : basisOf(child, main, innerMain, innerCross, crossMode === exact);
		taken += child.basis;
	}

	const isCrossFixed = crossMode === exact;
	const isOnlyMeasured = !isFinal && isCrossFixed;
	if (!isOnlyMeasured) {
		const space = mainMode === exact ? innerMain - taken : 0;
		const flexed = space === 0 ? undefined : flexedLengths(flow, main, space);
		for (let index = 0; index < flow.length; index++) {
			const child = flow[index] as FlexNode;
			const length = flexed?.[index] ?? child.basis;
			sizeChild(child, main, length, innerCross, crossMode, isFinal);
		}
	}

	let end = node.isReversed ? ends[main] : starts[main];
	let widest = 0;
	for (let index = 0; index < flow.length; index++) {
		const child = flow[index] as FlexNode;
		if (index > 0) end += gap;
		if (isFinal) child.places[main] = end;
		end = singlePrecision(end + (isOnlyMeasured ? child.basis : child.measured[main]));
		widest = Math.max(widest, child.measured[cross]);
	}
	end += node.isReversed ? starts[main] : ends[main];
	const crossLength = isCrossFixed ? innerCross : widest;
	measured[horizontal] = boundLength(node, horizontal, width);
	measured[vertical] = boundLength(node, vertical, height);
	if (mainMode !== exact) measured[main] = boundLength(node, main, end);
	if (!isCrossFixed) measured[cross] = crossLength + starts[cross] + ends[cross];
	if (!isFinal) return;

	const mainLength = measured[main];
	for (const child of flow) {
		if (Number.isNaN(child.lengthOn(cross, innerCross)))
			sizeOnAxes(child, main, child.measured[main], exact, crossLength, exact, true);
		child.places[cross] = starts[cross];
		if (node.isReversed)
			child.places[main] = mainLength - child.measured[main] - child.places[main];
	}
	if (flow.length < node.children.length) placeAbsoluteChildren(node, widthMode);
}

/** Returns how long a child is on the main axis if it neither grows nor shrinks. */
function basisOf(
	child: FlexNode,
	main: Axis,
	innerMain: number,
	innerCross: number,
	isCrossFixed: boolean,
): number {
	const own = child.lengthOn(main, innerMain);
	if (!Number.isNaN(own)) return boundLength(child, main, own);
	const cross = main === horizontal ? vertical : horizontal;
	const ownCross = child.lengthOn(cross, innerCross);
	const isCrossOwn = !Number.isNaN(ownCross);
	const mainMode = Number.isNaN(innerMain) ? unbounded : atMost;
	const stretchedMode = Number.isNaN(innerCross) ? unbounded : isCrossFixed ? exact : atMost;
	const crossLength = isCrossOwn ? ownCross : innerCross;
	const crossMode = isCrossOwn ? exact : stretchedMode;
	sizeOnAxes(child, main, innerMain, mainMode, crossLength, crossMode, false);
	return boundLength(child, main, child.measured[main]);
}

/** Sizes a child whose length on the main axis is known. A child that will be stretched is only measured. */
function sizeChild(
	child: FlexNode,
	main: Axis,
	length: number,
	innerCross: number,
	crossMode: LengthMode,
	isFinal: boolean,
): void {
	const cross = main === horizontal ? vertical : horizontal;
	const own = child.lengthOn(cross, innerCross);
	if (!Number.isNaN(own)) {
		const isLoose = child.isPercentOn(cross) && crossMode !== exact;
		sizeOnAxes(child, main, length, exact, own, isLoose ? unbounded : exact, isFinal);
		return;
	}
	const stretchedMode = Number.isNaN(innerCross) ? unbounded : crossMode === exact ? exact : atMost;
	sizeOnAxes(child, main, length, exact, innerCross, stretchedMode, false);
}

function sizeOnAxes(
	node: FlexNode,
	main: Axis,
	mainLength: number,
	mainMode: LengthMode,
	crossLength: number,
	crossMode: LengthMode,
	isFinal: boolean,
): void {
	if (main === horizontal) sizeNode(node, mainLength, crossLength, mainMode, crossMode, isFinal);
	else sizeNode(node, crossLength, mainLength, crossMode, mainMode, isFinal);
}

function placeAbsoluteChildren(node: FlexNode, widthMode: LengthMode): void {
	const ownerWidth =
		node.measured[horizontal] - node.getComputedBorder(0) - node.getComputedBorder(2);
	const ownerHeight =
		node.measured[vertical] - node.getComputedBorder(1) - node.getComputedBorder(3);
	// A text without a width is wrapped within its parent.
	const isWrapped = node.mainAxis === vertical && widthMode !== unbounded && ownerWidth > 0;
	for (const child of node.children) {
		if (!child.isAbsolute || child.isHidden) continue;
		let width = child.lengthOn(horizontal, ownerWidth);
		let height = child.lengthOn(vertical, ownerHeight);
		if (Number.isNaN(width) || Number.isNaN(height)) {
			const heightMode = modeOf(height);
			if (Number.isNaN(width) && isWrapped)
				sizeNode(child, ownerWidth, height, atMost, heightMode, false);
			else sizeNode(child, width, height, modeOf(width), heightMode, false);
			[width, height] = child.measured;
		}
		sizeNode(child, width, height, exact, exact, true);
		child.places[horizontal] = child.insetOn(horizontal);
		child.places[vertical] = child.insetOn(vertical);
	}
}
