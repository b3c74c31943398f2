import { nearestName } from './nearest-name.ts';

/** A problem with a typed text, in parts, so that a narrow line can leave some of them out. */
export type ProblemParts = {
	/** The problem, as in "No field “statu”.". It is never left out. */
	why: string;
	/** The advice: "Did you mean status?", or the known names, one part for each. */
	hint: readonly string[];
};

/** A problem as a whole, and its parts if it has any. */
export type TypingProblem = { problem: string; problemParts?: ProblemParts };

/** Says that a name is unknown, and which one was probably meant, or else which names are known. */
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
