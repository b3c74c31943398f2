import { type Field, type FieldValue, type FilterTable, fieldNameIn } from '../filters/field.ts';
import {
	type FilteredName,
	type FilterRow,
	type Phase,
	phaseOf,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
	statusWords,
} from './computer.ts';
import { isErrorNotRead, isVersionNotRead } from './not-read.ts';
import { type PhaseStart, uptimeOf } from './uptime.ts';

export type FieldSource = {
	reading: Reading;
	phase: Phase;
	since: PhaseStart;
	accountName?: string | undefined;
};

export type FieldName = FilteredName | 'id' | 'account';

type ComputerField = Field<FieldSource> &
	Omit<FilterRow, 'name'> & {
		/** The values of an answer that a command first reads for each computer, if the list does not have them. */
		needs?: readonly ReadingField[];
	};

const present = (...values: readonly (FieldValue | null | undefined)[]): readonly FieldValue[] =>
	values.filter(value => value !== null && value !== undefined);

/** Where the values are not those of the reading itself. A command reads each status before it filters. */
const computed: Readonly<Partial<Record<FieldName, Partial<ComputerField>>>> = {
	name: { values: ({ reading }) => [reading.name ?? reading.id] },
	status: {
		possibleValues: statusWords,
		needs: [],
		values: ({ reading, phase }) =>
			phaseOf(reading.status) === 'unknown'
				? present(reading.status)
				: present(phase, reading.status),
	},
	version: { isUnread: isVersionNotRead },
	uptime: {
		needs: [],
		values: (computer, now) => present(uptimeOf(computer, now)?.milliseconds),
	},
	age: {
		values: ({ reading: { createdAt } }, now) =>
			typeof createdAt === 'number' ? [Math.max(0, now - createdAt)] : [],
	},
	port: { values: ({ reading }) => (reading.ports ?? []).map(({ port }) => port) },
	stage: {
		isUnread: isErrorNotRead,
		needs: [],
		values: ({ reading }) => present(reading.stage, reading.error),
	},
};

const fieldsOfReading = readingFields.flatMap((field): [string, ComputerField][] => {
	const { name = field, ...filter } = readingRows[field].filter ?? {};
	if (!('meaning' in filter)) return [];
	const values: ComputerField['values'] = ({ reading }) => present(reading[field] as FieldValue);
	const own = computed[name as FieldName];
	return [[name, { kind: 'text', needs: [field], values, ...filter, ...own }]];
});

export const fields: Readonly<Record<FieldName, ComputerField>> = {
	...(Object.fromEntries(fieldsOfReading) as Record<FilteredName, ComputerField>),
	id: {
		kind: 'text',
		meaning: 'The id.',
		isSearched: 'always',
		order: { key: 'i', label: 'id' },
		values: ({ reading }) => [reading.id],
	},
	account: {
		kind: 'text',
		meaning: 'The profile of the account, if the table has several.',
		order: { key: 'w', label: 'account', short: 'acct' },
		values: ({ accountName }) => present(accountName),
	},
};

export const fieldNameFrom = (word: string): FieldName | undefined =>
	fieldNameIn(fields, word) as FieldName | undefined;

const all = Object.values(fields);

export const computerFilter: FilterTable<FieldSource> = {
	fields,
	searched: all.filter(({ isSearched }) => isSearched !== undefined),
};

/** Here `delete --filter error` must not mean every computer in error. */
export const computerNameFilter: FilterTable<FieldSource> = {
	fields,
	searched: all.filter(({ isSearched }) => isSearched === 'always'),
};
