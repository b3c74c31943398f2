import { describe, expect, it } from 'vitest';
import {
	byteCountOfMove,
	createCursorWriter,
	moveTo,
	unknownPosition,
} from '../../../source/terminal/output/cursor-writer.ts';

const columns = [0, 1, 2, 3, 4, 8, 9, 10, 11, 98, 99, 100, 1_000];

describe('a cursor move within a row', () => {
	it.each([
		['can move to a column', false],
		['cannot move to a column', true],
	])('takes as many bytes as were counted on a terminal that %s', (_, cannotMoveToColumn) => {
		for (const y of [0, 8, 9, 99]) {
			for (const from of [unknownPosition, ...columns]) {
				for (const to of columns) {
					const writer = { ...createCursorWriter(), x: from, y, cannotMoveToColumn };
					const counted = byteCountOfMove(writer, to, y);
					moveTo(writer, to, y);
					expect(`${from} to ${to}: ${writer.text.length}`).toBe(`${from} to ${to}: ${counted}`);
				}
			}
		}
	});
});
