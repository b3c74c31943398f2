/**
 * The name that a person most likely meant; undefined if none is similar enough. No library is used because the
 * most common typo is two swapped letters, which plain Levenshtein counts as two errors.
 */
export function nearestName(given: string, names: readonly string[]): string | undefined {
	const meant = normalised(given);
	const ranked = names
		.map(name => ({ name, distance: distanceOf(meant, normalised(name)) }))
		.sort((one, other) => one.distance - other.distance);
	const best = ranked[0];
	return best && best.distance <= Math.max(1, meant.length / 2) ? best.name : undefined;
}

// Ignores case and separators, so that `read_only` and `ReadOnly` equal `readOnly`.
const normalised = (name: string) =>
	name
		.slice(0, 100)
		.replace(/[_\s-]/g, '')
		.toLowerCase();

/** How many letters must be inserted, deleted, replaced or swapped to turn one text into the other. */
function distanceOf(one: string, other: string): number {
	let before: number[] = [];
	let above = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let row = 1; row <= one.length; row += 1) {
		const current = [row];
		for (let column = 1; column <= other.length; column += 1) {
			const isSame = one[row - 1] === other[column - 1];
			const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
			current[column] = Math.min(
				at(above, column) + 1,
				at(current, column - 1) + 1,
				at(above, column - 1) + (isSame ? 0 : 1),
				isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
			);
		}
		before = above;
		above = current;
	}
	return at(above, other.length);
}

const at = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY;
