import { phaseOf, type Reading } from '../../fleet/computers/computer.ts';
import { type FieldName, fieldNameFrom, fields } from '../../fleet/computers/field.ts';

/** A word that completes a filter, and the description that the shell shows beside the word. */
type FilterCandidate = readonly [word: string, description: string];

/**
 * Returns the completions of the last term of a filter: fields, or values of the field before the colon. If the
 * values are not a fixed set, they come from the last known computers. The values of `account` are the profiles.
 */
export function filterCandidates(
	term: string,
	computers: readonly Reading[],
	profiles: readonly string[],
): readonly FilterCandidate[] {
	const colon = term.indexOf(':');
	if (colon < 0) return Object.keys(fields).map(name => [`${name}:`, 'field']);
	const typedField = term.slice(0, colon);
	const field = fieldNameFrom(typedField);
	if (field === undefined) return [];
	return valuesOf(field, computers, profiles).map(value => [`${typedField}:${value}`, field]);
}

function valuesOf(
	field: FieldName,
	computers: readonly Reading[],
	profiles: readonly string[],
): readonly string[] {
	const { kind, possibleValues, examples, values } = fields[field];
	const fixed = possibleValues ?? examples;
	if (fixed) return fixed;
	if (field === 'account') return profiles;
	// The time does not matter, because no other field depends on it.
	const since = { at: 0, isLowerBound: true };
	const known = computers.flatMap(reading =>
		values({ reading, phase: phaseOf(reading.status), since }, 0, undefined),
	);
	const texts = [...new Set(known.map(String))];
	// A filter divides a text at its spaces, unless the text stands in quotes.
	return texts.filter(text => kind === 'number' || !/[\s"]/.test(text)).toSorted();
}
