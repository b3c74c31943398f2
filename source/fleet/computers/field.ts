import {
	type FilterFieldOfReading,
	type Phase,
	phaseOf,
	type Reading,
	statusWords,
} from './computer.ts';
import { type PhaseStart, uptimeOf } from './uptime.ts';

/** The values of a computer that filters and orders use. */
export type FieldSource = { reading: Reading; phase: Phase; since: PhaseStart };

export type FieldKind = 'text' | 'number' | 'version' | 'duration';

type Field = {
	kind: FieldKind;
	/**
	 * Returns the values of the field: none if the value is unknown, several for a field such as `port`. `account`
	 * is the name of the computer's account, if there are several.
	 */
	values: (
		subject: FieldSource,
		now: number,
		account: string | undefined,
	) => readonly (string | number)[];
	/** All possible values, if the field has a fixed set of them. */
	possibleValues?: readonly string[];
	/** Whether the screen shows a blank for an underscore of the value. The filter accepts both. */
	showsUnderscoresAsBlanks?: true;
	/** Examples of what a person types after the colon, for a field whose values are rarely typed themselves. */
	examples?: readonly string[];
};

const noValues: readonly never[] = [];

// A filter asks for the values of ten thousand computers at each letter, so few objects are created for them.
const presentValue = <T>(value: T | null | undefined): readonly T[] =>
	value === null || value === undefined ? noValues : [value];

const presentValues = <T>(
	first: T | null | undefined,
	second: T | null | undefined,
): readonly T[] => {
	if (first === null || first === undefined) return presentValue(second);
	return second === null || second === undefined ? [first] : [first, second];
};

const percentExamples = ['>80', '>50', '<10', '20..60'];

// The one table of the filter's fields. The keys are the names that a person types, as in `cpu:>80`.
const fieldTable = {
	name: { kind: 'text', values: ({ reading }) => presentValue(reading.name ?? reading.id) },
	id: { kind: 'text', values: ({ reading }) => presentValue(reading.id) },
	address: { kind: 'text', values: ({ reading }) => presentValue(reading.address) },
	status: {
		kind: 'text',
		possibleValues: statusWords,
		values: ({ reading, phase }) =>
			phaseOf(reading.status) === 'unknown'
				? presentValue(reading.status)
				: presentValues(phase, reading.status),
	},
	stage: {
		kind: 'text',
		showsUnderscoresAsBlanks: true,
		values: ({ reading }) => presentValues(reading.stage, reading.error),
	},
	version: { kind: 'version', values: ({ reading }) => presentValue(reading.version) },
	location: { kind: 'text', values: ({ reading }) => presentValue(reading.location) },
	uptime: {
		kind: 'duration',
		examples: ['<1h', '>1d', '>7d'],
		values: (subject, now) => presentValue(uptimeOf(subject, now)?.milliseconds),
	},
	cpu: {
		kind: 'number',
		examples: percentExamples,
		values: ({ reading }) => presentValue(reading.cpu),
	},
	memory: {
		kind: 'number',
		examples: percentExamples,
		values: ({ reading }) => presentValue(reading.memory),
	},
	storage: {
		kind: 'number',
		examples: percentExamples,
		values: ({ reading }) => presentValue(reading.storage),
	},
	port: {
		kind: 'number',
		values: ({ reading }) => (reading.ports ?? []).map(({ port }) => port),
	},
	age: {
		kind: 'duration',
		examples: ['<1h', '<1d', '>7d', '1d..7d'],
		values: ({ reading }, now) => presentValue(reading.createdAt).map(at => Math.max(0, now - at)),
	},
	account: {
		kind: 'text',
		values: (_, __, account?: string) => presentValue(account),
	},
} satisfies Readonly<Record<FilterFieldOfReading | 'id' | 'account', Field>>;

export type FieldName = keyof typeof fieldTable;

export const fields: Readonly<Record<FieldName, Field>> = fieldTable;

/** Other names for the fields, familiar from other tools. */
const fieldSynonyms: Readonly<Record<string, FieldName>> = {
	mem: 'memory',
	ram: 'memory',
	disk: 'storage',
	ip: 'address',
	ports: 'port',
	state: 'status',
	up: 'uptime',
	region: 'location',
	zone: 'location',
};

export function fieldNameFrom(word: string): FieldName | undefined {
	const name = word.toLowerCase();
	if (Object.hasOwn(fields, name)) return name as FieldName;
	return Object.hasOwn(fieldSynonyms, name) ? fieldSynonyms[name] : undefined;
}
