import { type FlexNode, horizontal, vertical } from './flex-node.ts';

/** Rounds all places and sizes to cells, so that boxes that touch each other still touch afterwards. */
export function roundToCells(node: FlexNode, ownerLeft: number, ownerTop: number): void {
	const { places, sizes, cells } = node;
	const isText = node.measure !== undefined;
	const left = Math.fround(ownerLeft + places[horizontal]);
	const top = Math.fround(ownerTop + places[vertical]);
	cells.left = rounded(places[horizontal], false, isText);
	cells.top = rounded(places[vertical], false, isText);
	cells.width = roundedSize(left, sizes[horizontal], isText);
	cells.height = roundedSize(top, sizes[vertical], isText);
	for (let index = 0; index < node.children.length; index++) {
		const child = node.children[index] as FlexNode;
		if (child.isHidden) Object.assign(child.cells, { left: 0, top: 0, width: 0, height: 0 });
		else roundToCells(child, left, top);
	}
}

function roundedSize(start: number, size: number, isText: boolean): number {
	const isWhole = isClose(size, Math.round(size));
	return (
		rounded(start + size, isText && !isWhole, isText && isWhole) - rounded(start, false, isText)
	);
}

function rounded(value: number, isUp: boolean, isDown: boolean): number {
	const whole = Math.floor(value);
	const fraction = value - whole;
	if (isClose(fraction, 0)) return whole;
	if (isClose(fraction, 1) || isUp) return whole + 1;
	if (isDown) return whole;
	return fraction > 0.5 || isClose(fraction, 0.5) ? whole + 1 : whole;
}

const isClose = (one: number, other: number) => Math.abs(one - other) < 0.0001;
