import { fieldNameFrom, fields } from './field.ts';
import type { Filter } from './filter.ts';
import type { FilterTerm } from './filter-words.ts';

//  before          filter           narrower, because it matches nothing that the filter before does not match
//  at              atl              yes: what contains “atl” contains “at”
//  atl             atl cpu:>80      yes: one more term has to match
//  atl             atl OR nova      no
//  -a              -at              no: it excludes less
//  cpu:>1          cpu:>10          not known: values are not compared

/**
 * Returns whether a filter certainly matches no computer that the filter `before` does not match. If so, only the
 * rows that matched `before` have to be tried again while a person types.
 */
export function isNarrower({ groups }: Filter, before: Filter): boolean {
	// A filter without terms matches everything.
	if (before.groups.length === 0) return true;
	return (
		groups.length > 0 &&
		groups.every(group =>
			before.groups.some(other => other.every(term => group.some(each => implies(each, term)))),
		)
	);
}

/** Returns whether everything that has one term certainly has the other as well. */
function implies(one: FilterTerm, other: FilterTerm): boolean {
	const isSame = one.isNegated === other.isNegated && one.fieldName === other.fieldName;
	if (isSame && one.value === other.value) return true;
	if (!isSame || one.isNegated) return false;
	if (one.fieldName === undefined) return one.value.includes(other.value);
	const name = fieldNameFrom(one.fieldName);
	const isContained = name !== undefined && fields[name].kind === 'text';
	if (!isContained || /^[<>=]/.test(one.value) || /^[<>=]/.test(other.value)) return false;
	return one.value.toLowerCase().includes(other.value.toLowerCase());
}
