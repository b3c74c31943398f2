import { choiceIndex } from '../screen/choice.ts';
import type { TextView } from '../screen/view-table.ts';
import type { Scene } from './scene.ts';

/** The row under the cursor of a view. */
export function chosenRow<Row>(
	{ screen }: Scene,
	view: TextView,
	rows: readonly Row[],
	idOf: (row: Row) => string,
): Row | undefined {
	const choices = rows.map((row, line) => ({ id: idOf(row), line }));
	return rows[choiceIndex(screen.viewCursors[view], choices)];
}
