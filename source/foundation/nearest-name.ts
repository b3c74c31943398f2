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
	let beforeLast: number[] = [];
	let last = Array.from({ length: target.length + 1 }, (_, column) => column);
	for (let row = 1; row <= source.length; row += 1) {
		const distances = [row];
		for (let column = 1; column <= target.length; column += 1) {
			const at = (some: readonly number[], by: number) => some[column - by] ?? Infinity;
			const isSame = source[row - 1] === target[column - 1];
			const isSwapped =
				source[row - 1] === target[column - 2] && source[row - 2] === target[column - 1];
			distances[column] = Math.min(
				at(last, 0) + 1,
				at(distances, 1) + 1,
				at(last, 1) + (isSame ? 0 : 1),
				isSwapped ? at(beforeLast, 2) + 1 : Infinity,
			);
		}
		[beforeLast, last] = [last, distances];
	}
	return last[target.length] ?? Infinity;
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
