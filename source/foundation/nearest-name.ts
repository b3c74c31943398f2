/** Plain Levenshtein counts two swapped letters, the most common typo, as two errors. */
export function nearestName(typedName: string, names: readonly string[]): string | undefined {
	const wanted = normalise(typedName);
	let nearest: string | undefined;
	let leastTooFar = Math.floor(Math.max(1, wanted.length / 2)) + 1;
	for (const name of names) {
		const normalisedName = normalise(name);
		if (Math.abs(normalisedName.length - wanted.length) >= leastTooFar) continue;
		const distance = editDistance(wanted, normalisedName);
		if (distance >= leastTooFar) continue;
		nearest = name;
		leastTooFar = distance;
	}
	return nearest;
}

const normalise = (name: string) =>
	name
		.slice(0, 100)
		.replace(/[_\s-]/g, '')
		.toLowerCase();

function editDistance(source: string, target: string): number {
	let rowBeforeLast: number[] = [];
	let lastRow = Array.from({ length: target.length + 1 }, (_, index) => index);
	for (let row = 1; row <= source.length; row += 1) {
		const currentRow = [row];
		for (let column = 1; column <= target.length; column += 1) {
			const isSame = source[row - 1] === target[column - 1];
			const isSwapped =
				source[row - 1] === target[column - 2] && source[row - 2] === target[column - 1];
			currentRow[column] = Math.min(
				distanceAt(lastRow, column) + 1,
				distanceAt(currentRow, column - 1) + 1,
				distanceAt(lastRow, column - 1) + (isSame ? 0 : 1),
				isSwapped ? distanceAt(rowBeforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
			);
		}
		rowBeforeLast = lastRow;
		lastRow = currentRow;
	}
	return distanceAt(lastRow, target.length);
}

const distanceAt = (row: readonly number[], column: number) =>
	row[column] ?? Number.POSITIVE_INFINITY;

/** A problem with a typed text, in parts, so that a narrow line can leave some of them out. */
type ProblemParts = {
	why: string;
	hint: readonly string[];
};

export type TypingProblem = { problem: string; problemParts?: ProblemParts };

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
