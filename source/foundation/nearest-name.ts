export function nearestName(typedName: string, names: readonly string[]): string | undefined {
	const wanted = normalise(typedName);
	const distances = names.map(name => editDistance(wanted, normalise(name)));
	const least = Math.min(...distances);
	return least <= Math.max(1, Math.floor(wanted.length / 2))
		? names[distances.indexOf(least)]
		: undefined;
}

const normalise = (name: string) =>
	name
		.slice(0, 100)
		.replace(/[_\s-]/g, '')
		.toLowerCase();

/** Plain Levenshtein counts two swapped letters, the most common typo, as two errors. */
function editDistance(source: string, target: string): number {
	const rows = [Array.from({ length: target.length + 1 }, (_, column) => column)];
	const distanceAt = (row: number, column: number) =>
		rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
	for (let row = 1; row <= source.length; row += 1) {
		const distances = [row];
		rows.push(distances);
		for (let column = 1; column <= target.length; column += 1) {
			const isSame = source[row - 1] === target[column - 1];
			const isSwapped =
				source[row - 1] === target[column - 2] && source[row - 2] === target[column - 1];
			distances[column] = Math.min(
				distanceAt(row - 1, column) + 1,
				distanceAt(row, column - 1) + 1,
				distanceAt(row - 1, column - 1) + (isSame ? 0 : 1),
				isSwapped ? distanceAt(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
			);
		}
	}
	return distanceAt(source.length, target.length);
}

export type TypingProblem = {
	problem: string;
	/** In parts, so that a narrow line can leave some of them out. */
	problemParts?: { why: string; hint: readonly string[] };
};

export function unknownNameProblem(
	kind: string,
	typedName: string,
	names: readonly string[],
): Required<TypingProblem> {
	const nearest = nearestName(typedName, names);
	const why = `No ${kind} “${typedName}”.`;
	const known = names.map((name, at) => (at === 0 ? `Known: ${name}` : name));
	const hint = nearest === undefined ? known : [`Did you mean ${nearest}?`];
	return { problem: `${why} ${hint.join(', ')}`, problemParts: { why, hint } };
}
