import { type Field, type FieldValue, type FilterTable, fieldNameIn } from '../filters/field.ts';
import {
	type FilteredReadingField,
	type Phase,
	phaseOf,
	type Reading,
	type ReadingField,
	type ReadingFilter,
	type ReadingKind,
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

type ComputerField = Field<FieldSource> &
	ReadingFilter & {
		/** The values of an answer that a command first reads for each computer, if the list does not have them. */
		needs?: readonly ReadingField[];
	};

const present = (...values: readonly (FieldValue | null | undefined)[]): readonly FieldValue[] =>
	values.filter(value => value !== null && value !== undefined);

/** A command reads each status before it filters. */
const computedFields = {
	name: {
		kind: 'text',
		meaning: 'The name, or the id of a computer without one.',
		isSearched: 'always',
		order: { key: 'n', label: 'name' },
		needs: ['name'],
		values: ({ reading }) => [reading.name ?? reading.id],
	},
	id: {
		kind: 'text',
		meaning: 'The id.',
		isSearched: 'always',
		order: { key: 'i', label: 'id' },
		values: ({ reading }) => [reading.id],
	},
	status: {
		kind: 'text',
		meaning: 'The status, in plain words or in those of the platform: active, stopped, error.',
		synonyms: ['state'],
		isSearched: 'inMonitor',
		possibleValues: statusWords,
		hasFewValues: true,
		order: { key: 's', label: 'status' },
		values: ({ reading, phase }) =>
			phaseOf(reading.status) === 'unknown'
				? present(reading.status)
				: present(phase, reading.status),
	},
	stage: {
		kind: 'text',
		meaning: 'The stage of the creation, or the error.',
		isSearched: 'inMonitor',
		showsUnderscoresAsBlanks: true,
		isUnread: isErrorNotRead,
		order: { key: 'g', label: 'stage' },
		values: ({ reading }) => present(reading.stage, reading.error),
	},
	uptime: {
		kind: 'duration',
		meaning: 'The time since the last start: uptime:>4h.',
		synonyms: ['up'],
		examples: ['<1h', '>1d', '>7d'],
		order: { key: 'u', label: 'uptime' },
		values: (computer, now) => present(uptimeOf(computer, now)?.milliseconds),
	},
	port: {
		kind: 'number',
		meaning: 'A published port.',
		synonyms: ['ports'],
		order: { key: 'p', label: 'port' },
		needs: ['ports'],
		values: ({ reading }) => (reading.ports ?? []).map(({ port }) => port),
	},
	age: {
		kind: 'duration',
		meaning: 'The time since the computer was created: age:>7d.',
		examples: ['<1h', '<1d', '>7d', '1d..7d'],
		order: { key: 'a', label: 'age' },
		needs: ['createdAt'],
		values: ({ reading: { createdAt } }, now) =>
			typeof createdAt === 'number' ? [Math.max(0, now - createdAt)] : [],
	},
	account: {
		kind: 'text',
		meaning: 'The profile of the account, if the table has several.',
		order: { key: 'w', label: 'account', short: 'acct' },
		values: ({ accountName }) => present(accountName),
	},
} as const satisfies Readonly<Record<string, ComputerField>>;

export type FieldName = keyof typeof computedFields | FilteredReadingField;

const filterKinds: Readonly<Partial<Record<ReadingKind, Field<never>['kind']>>> = {
	version: 'version',
	percent: 'number',
};

const readFields = (...names: readonly ReadingField[]) =>
	Object.fromEntries(
		names.flatMap((name): [string, ComputerField][] => {
			const { kind, filter } = readingRows[name];
			if (!filter) return [];
			const field: ComputerField = {
				...filter,
				kind: filterKinds[kind] ?? 'text',
				needs: [name],
				values: ({ reading }) => present(reading[name] as FieldValue | null | undefined),
			};
			return [[name, kind === 'version' ? { ...field, isUnread: isVersionNotRead } : field]];
		}),
	);

const { name, id, status, stage, uptime, port, age, account } = computedFields;

/** A name that comes twice stands in its first place. */
export const fields = {
	name,
	id,
	...readFields('address'),
	status,
	stage,
	...readFields('version', 'location'),
	uptime,
	...readFields('cpu', 'memory', 'storage'),
	port,
	age,
	...readFields(...readingFields),
	account,
} as unknown as Readonly<Record<FieldName, ComputerField>>;

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
