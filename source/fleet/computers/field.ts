import { type Field, type FieldValue, type FilterTable, fieldNameIn } from '../filters/field.ts';
import {
	type FilterFieldOfReading,
	type Phase,
	phaseOf,
	type Reading,
	statusWords,
} from './computer.ts';
import { isErrorNotRead, isVersionNotRead } from './not-read.ts';
import { type PhaseStart, uptimeOf } from './uptime.ts';

/** A computer with the values that filters and orders use. */
export type FieldSource = {
	reading: Reading;
	phase: Phase;
	since: PhaseStart;
	/** The name of the computer's account, if there are several. */
	accountName?: string | undefined;
};

const present = (...values: readonly (FieldValue | null | undefined)[]): readonly FieldValue[] =>
	values.filter(value => value !== null && value !== undefined);

const percentExamples = ['>80', '>50', '<10', '20..60'];

// The one table of the filter's fields. The keys are the names that a person types, as in `cpu:>80`.
const fieldTable = {
	name: { kind: 'text', values: ({ reading }) => [reading.name ?? reading.id] },
	id: { kind: 'text', values: ({ reading }) => [reading.id] },
	address: { kind: 'text', synonyms: ['ip'], values: ({ reading }) => present(reading.address) },
	status: {
		kind: 'text',
		synonyms: ['state'],
		possibleValues: statusWords,
		hasFewValues: true,
		values: ({ reading, phase }) =>
			phaseOf(reading.status) === 'unknown'
				? present(reading.status)
				: present(phase, reading.status),
	},
	stage: {
		kind: 'text',
		showsUnderscoresAsBlanks: true,
		isUnread: isErrorNotRead,
		values: ({ reading }) => present(reading.stage, reading.error),
	},
	version: {
		kind: 'version',
		hasFewValues: true,
		isUnread: isVersionNotRead,
		values: ({ reading }) => present(reading.version),
	},
	location: {
		kind: 'text',
		synonyms: ['region', 'zone'],
		hasFewValues: true,
		values: ({ reading }) => present(reading.location),
	},
	uptime: {
		kind: 'duration',
		synonyms: ['up'],
		examples: ['<1h', '>1d', '>7d'],
		values: (computer, now) => present(uptimeOf(computer, now)?.milliseconds),
	},
	cpu: {
		kind: 'number',
		examples: percentExamples,
		values: ({ reading }) => present(reading.cpu),
	},
	memory: {
		kind: 'number',
		synonyms: ['mem', 'ram'],
		examples: percentExamples,
		values: ({ reading }) => present(reading.memory),
	},
	storage: {
		kind: 'number',
		synonyms: ['disk'],
		examples: percentExamples,
		values: ({ reading }) => present(reading.storage),
	},
	port: {
		kind: 'number',
		synonyms: ['ports'],
		values: ({ reading }) => (reading.ports ?? []).map(({ port }) => port),
	},
	age: {
		kind: 'duration',
		examples: ['<1h', '<1d', '>7d', '1d..7d'],
		values: ({ reading }, now) =>
			present(reading.createdAt).map(at => Math.max(0, now - Number(at))),
	},
	account: { kind: 'text', values: ({ accountName }) => present(accountName) },
} satisfies Readonly<Record<FilterFieldOfReading | 'id' | 'account', Field<FieldSource>>>;

export type FieldName = keyof typeof fieldTable;

export const fields: Readonly<Record<FieldName, Field<FieldSource>>> = fieldTable;

export const fieldNameFrom = (word: string): FieldName | undefined =>
	fieldNameIn(fields, word) as FieldName | undefined;

/** The filter of the monitor, in which a word is searched in most of what the table shows. */
export const computerFilter: FilterTable<FieldSource> = {
	fields,
	searched: [
		fields.name,
		fields.id,
		fields.address,
		fields.status,
		fields.version,
		fields.stage,
		fields.location,
	],
};

/**
 * The filter of a command, in which a word is searched only in what identifies a computer, because
 * `delete --filter error` must not mean every computer in error.
 */
export const computerNameFilter: FilterTable<FieldSource> = {
	fields,
	searched: [fields.name, fields.id, fields.address],
};
