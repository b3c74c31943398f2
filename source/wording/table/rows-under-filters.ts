import type { FindMatchingTerms } from '../../fleet/computers/filter.ts';
import type { FleetRow } from '../../store/selectors.ts';

/** Values of rows under one filter. */
type UnderFilter<T> = {
	matchedTermsOf: FindMatchingTerms | undefined;
	values: WeakMap<FleetRow, T>;
};

const maxFilters = 4;

/**
 * Keeps a value for each row under each of the last filters, because a letter that is erased leads back to an earlier
 * filter.
 */
export function createRowsUnderFilters<T>() {
	/** The last filters, beginning with the present one. */
	let filters: readonly UnderFilter<T>[] = [];

	return {
		/** Sets the present filter; undefined for none. Without one, no letter can be erased, so all others are forgotten. */
		setFilter(matchedTermsOf: FindMatchingTerms | undefined) {
			if (filters[0]?.matchedTermsOf === matchedTermsOf && filters.length > 0) return;
			const same = filters.find(each => each.matchedTermsOf === matchedTermsOf);
			const others = matchedTermsOf ? filters.filter(each => each !== same) : [];
			filters = [
				same ?? { matchedTermsOf, values: new WeakMap() },
				...others.slice(0, maxFilters - 1),
			];
		},
		/** Returns the value under the present filter. */
		get: (row: FleetRow) => filters[0]?.values.get(row),
		/** Returns the value under the last of the other filters that has one. */
		underEarlier(row: FleetRow): T | undefined {
			for (let at = 1; at < filters.length; at++) {
				const found = filters[at]?.values.get(row);
				if (found) return found;
			}
			return undefined;
		},
		set: (row: FleetRow, value: T) => filters[0]?.values.set(row, value),
	};
}
