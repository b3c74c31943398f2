import { type Span, textOf, withMatches } from '../../drawing/span.ts';
import { fields } from '../../fleet/computers/field.ts';
import type { FilterTerm } from '../../fleet/computers/filter-words.ts';
import { hasMatch, isSearched, matchedPlaces } from '../../fleet/computers/matched-places.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { CellContext } from './cell-context.ts';
import type { Column } from './column.ts';

/** Returns the terms of the filter that the computer of this row has. */
export const matchedTermsIn = (
	{ computer }: FleetRow,
	{ matchedTermsOf, now, filterName }: CellContext,
): readonly FilterTerm[] => matchedTermsOf?.(computer, now, filterName) ?? noTerms;

export const noTerms: readonly FilterTerm[] = [];

/** Whether a value that this column shows matches any of these terms of the filter. */
export function hasFilterMatch(
	row: FleetRow,
	column: Column,
	{ filterName, now }: CellContext,
	terms: readonly FilterTerm[],
): boolean {
	const field = column.field ?? column.searchedField;
	if (field === undefined || terms.length === 0 || !isSearched(terms, field)) return false;
	return hasMatch(terms, field, fields[field].values(row.computer, now, filterName));
}

/** Underlines in a cell what these terms of the filter matched. */
export function withFilterMatches(
	spans: readonly Span[],
	row: FleetRow,
	column: Column,
	{ filterName, now }: CellContext,
	terms: readonly FilterTerm[],
): readonly Span[] {
	const field = column.field ?? column.searchedField;
	if (field === undefined || terms.length === 0 || !isSearched(terms, field)) return spans;
	const values = fields[field].values(row.computer, now, filterName);
	return withMatches(spans, matchedPlaces(terms, { text: textOf(spans), field, values }));
}
