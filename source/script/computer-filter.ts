import type { ReadingField } from '../fleet/computers/computer.ts';
import {
	computerNameFilter,
	type FieldSource,
	fieldNameFrom,
	fields,
} from '../fleet/computers/field.ts';
import type { OrderField } from '../fleet/computers/order-fields.ts';
import { type Filter, filterFrom, filterWordsIn, isOr } from '../fleet/filters/filter.ts';
import { UsageError } from '../foundation/error.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';

export type ComputerFilter = {
	/** They must be read before the test can be applied. */
	requiredFields: readonly ReadingField[];
	needsReasons: boolean;
	test: Filter<FieldSource>['test'];
	refuseUnknownStatus: (accounts: readonly AccountState[]) => void;
	select: (account: AccountState, now: number) => readonly ComputerState[];
};

export function filterFromOption(text: string): ComputerFilter {
	const { test, mistake } = filterFrom(text, computerNameFilter);
	const refusal = new UsageError(`--filter: ${cleanForTerminal(mistake?.problem ?? '')}`);
	if (mistake && !mistake.isUnknownValue) throw refusal;
	const names = namesInFilter(text);
	return {
		requiredFields: readingFieldsOf(names),
		needsReasons: names.includes('stage'),
		test,
		refuseUnknownStatus(accounts) {
			// A status that this program does not know may still be a status of the platform, so the filter is
			// refused only if no computer has that status.
			const computers = accounts.flatMap(account => [...account.computers.values()]);
			if (filterFrom(text, computerNameFilter, computers).mistake) throw refusal;
		},
		select: ({ computers }, now) => [...computers.values()].filter(each => test(each, now)),
	};
}

function namesInFilter(text: string) {
	const words = filterWordsIn(text).filter(word => !isOr(word));
	return words.map(({ fieldName = 'name' }) => fieldNameFrom(fieldName));
}

export const readingFieldsOf = (
	names: readonly (OrderField | undefined)[],
): readonly ReadingField[] => [
	...new Set(
		names.flatMap(name =>
			name === undefined || name === 'trouble' ? [] : (fields[name].needs ?? []),
		),
	),
];
