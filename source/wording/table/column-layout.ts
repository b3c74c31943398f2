import { type Column, columns } from './columns.ts';

export type PlacedColumn = { column: Column; width: number };

const gapWidth = 2;

export const columnGap = ' '.repeat(gapWidth);

const defaultColumns = columns.filter(({ visibility }) => visibility !== 'chosen');

/**
 * Returns the columns with these names in the order of the names, preceded by any column that is always
 * shown but not named. Unknown names are ignored.
 */
export function columnsNamed(names: readonly string[] | undefined): readonly Column[] {
	if (!names) return defaultColumns;
	const named = [...new Set(names)].flatMap(name => columns.find(each => each.name === name) ?? []);
	const missing = columns.filter(each => each.visibility === 'always' && !named.includes(each));
	return [...missing, ...named];
}

/** Chooses the columns that fit into a table of this width, and returns each with its own width in cells. */
export function columnsThatFit(
	width: number,
	candidates: readonly Column[] = defaultColumns,
): readonly PlacedColumn[] {
	const neededWidth = (shown: readonly Column[]) =>
		shown.reduce((sum, { minWidth }) => sum + minWidth + gapWidth, -gapWidth);
	let chosen = candidates;
	while (chosen.length > 1 && neededWidth(chosen) > width) {
		const highest = Math.max(...chosen.map(({ dropOrder }) => dropOrder));
		chosen = chosen.filter(
			({ dropOrder }, at) => dropOrder < highest || (highest === 0 && at === 0),
		);
	}
	const placed = chosen.map(column => ({ column, width: Math.min(column.minWidth, width) }));
	let room = Math.max(0, width - neededWidth(chosen));
	const grow = (placement: { column: Column; width: number }, maxWidth: number) => {
		const grown = Math.max(0, Math.min(room, maxWidth - placement.width));
		placement.width += grown;
		room -= grown;
	};
	for (const each of placed) grow(each, each.column.preferredWidth ?? each.column.minWidth);
	for (const each of placed) grow(each, each.column.maxWidth);
	return placed;
}
