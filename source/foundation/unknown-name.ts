import { nearestName } from './nearest-name.ts';

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
