import { type ReadingField, readingFields, readingRows } from '../fleet/computers/computer.ts';
import { fieldNameFrom } from '../fleet/computers/field.ts';
import { createStatusTest, type FilterTest, filterFrom } from '../fleet/computers/filter.ts';
import { UsageError } from '../shell/errors.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';

export type ComputerFilter = {
	/** The fields that must be read before the test can be applied. */
	requiredFields: readonly ReadingField[];
	/** Whether the reasons of errors decide which computers match. */
	needsReasons: boolean;
	test: FilterTest;
	/** Throws if the filter names a status that no computer of these accounts has. */
	refuseUnknownStatus: (accounts: readonly AccountState[]) => void;
	select: (account: AccountState, now: number) => readonly ComputerState[];
};

/**
 * Creates a filter from the value of --filter. Throws before any request is sent if the text is not a valid
 * filter.
 */
export function filterFromOption(text: string): ComputerFilter {
	const { test, problem = '', unknownStatus } = filterFrom(text);
	const refusal = new UsageError(`--filter: ${cleanForTerminal(problem)}`);
	if (problem !== '' && unknownStatus === undefined) throw refusal;
	const names = namesInFilter(text);
	return {
		requiredFields: readingFieldsOf(names),
		needsReasons: names.includes('stage'),
		test,
		refuseUnknownStatus(accounts) {
			// A status that this program does not know may still be a status of the platform, so the filter is
			// refused only if no computer has that status.
			const isKnown = ({ computers }: AccountState) =>
				unknownStatus === undefined || createStatusTest(computers.values())(unknownStatus);
			if (!accounts.some(isKnown)) throw refusal;
		},
		select: ({ computers }, now) => [...computers.values()].filter(each => test(each, now)),
	};
}

function namesInFilter(text: string) {
	const words = text.split(/\s+/).filter(word => word !== '' && word !== 'OR');
	return words.map(word => {
		const [, name = ''] = /^-?([^:"]+):/.exec(word) ?? [];
		return name === '' ? 'name' : fieldNameFrom(name);
	});
}

/** Returns the fields of a reading that these fields of the filter are computed from. */
export function readingFieldsOf(names: readonly (string | undefined)[]): readonly ReadingField[] {
	return [...new Set(names)].flatMap(name =>
		readingFields.filter(field => {
			const { filterField, isFilteredAsKnown } = readingRows[field];
			return filterField === name && !isFilteredAsKnown;
		}),
	);
}
