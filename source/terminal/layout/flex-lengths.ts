import { type Axis, boundLength, type FlexNode } from './flex-node.ts';

// Yoga computes with numbers of single precision, and how the last cell is rounded depends on that.
export const singlePrecision = Math.fround;

/**
 * Returns the lengths of the children of a box on its main axis. The children grow into free space, or shrink if they
 * need too much, but never below their paddings.
 */
export function flexedLengths(
	children: readonly FlexNode[],
	axis: Axis,
	freeSpace: number,
): readonly number[] {
	let space = freeSpace;
	const weightOf = (child: FlexNode) => (space < 0 ? child.shrink * child.basis : child.grow);
	const allWeights = () => {
		const sum = children.reduce((sum, child) => sum + weightOf(child), 0);
		return space > 0 && sum > 0 && sum < 1 ? 1 : sum;
	};
	let weights = allWeights();
	const lengthOf = (child: FlexNode) => {
		const weight = weightOf(child);
		if (weight === 0 || space === 0) return child.basis;
		if (weights === 0) return child.basis - weight;
		return singlePrecision(
			child.basis + singlePrecision(singlePrecision(space / weights) * weight),
		);
	};
	// A child that cannot become smaller than its padding leaves the rest of the space to the others.
	let excess = 0;
	for (const child of children) {
		const length = lengthOf(child);
		const bound = boundLength(child, axis, length);
		if (bound === length) continue;
		excess = singlePrecision(excess + bound - child.basis);
		weights -= weightOf(child);
	}
	space = singlePrecision(space - excess);
	if (space > 0) weights = allWeights();
	return children.map(child => boundLength(child, axis, lengthOf(child)));
}

/** Returns the children that take part in the row or column. */
export function childrenInFlow(children: readonly FlexNode[]): readonly FlexNode[] {
	const isOut = (child: FlexNode) => child.isAbsolute || child.isHidden;
	return children.some(isOut) ? children.filter(child => !isOut(child)) : children;
}

// If a child both grows and shrinks, it fills a box of a fixed size, so its content need not be measured.
export function onlyFlexibleIn(children: readonly FlexNode[]): FlexNode | undefined {
	let only: FlexNode | undefined;
	for (const child of children) {
		if (child.isAbsolute || (child.grow === 0 && child.shrink === 0)) continue;
		if (only) return undefined;
		only = child;
	}
	return only && only.grow !== 0 && only.shrink !== 0 ? only : undefined;
}
