import { type Field, type FilterTable, fieldNameIn, present } from '../filters/filter.ts';
import { type FieldValue, inOrder, naturalKey, orderKeysOf } from '../filters/order.ts';
import {
	type FilteredName,
	type FilterRow,
	isErrorNotRead,
	isNotRead,
	type Phase,
	phaseOf,
	type Reading,
	type ReadingField,
	readingFields,
	readingRows,
	statusWords,
} from './computer.ts';
import { type PhaseStart, uptimeOf } from './uptime.ts';

export type FieldSource = {
	reading: Reading;
	phase: Phase;
	since: PhaseStart;
	accountName?: string | undefined;
	/** What the list of the account tells. */
	listFields?: ReadonlySet<ReadingField>;
};

export type FieldName = FilteredName | 'id' | 'account';

type ComputerField = Field<FieldSource> &
	Omit<FilterRow, 'name'> & {
		/** The values of an answer that a command first reads for each computer, if the list does not have them. */
		needs?: readonly ReadingField[];
	};

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
		isUnreadForWords: true,
		needs: [],
		values: ({ reading }) => present(reading.stage, reading.error),
	},
};

const fieldsOfReading = readingFields.flatMap((field): [string, ComputerField][] => {
	const { name = field, ...filter } = readingRows[field].filter ?? {};
	if (!('meaning' in filter)) return [];
	const values: ComputerField['values'] = ({ reading }) => present(reading[field] as FieldValue);
	const isUnread = (computer: FieldSource) => isNotRead(field, computer, computer.listFields);
	const own = computed[name as FieldName];
	return [[name, { kind: 'text', needs: [field], values, isUnread, ...filter, ...own }]];
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

export type OrderField = 'trouble' | FieldName;

export type Ordering = { by: OrderField; isReversed: boolean };

export const troubleFirst: Ordering = { by: 'trouble', isReversed: false };

export const orderRows = {
	trouble: { key: 't', label: 'trouble' },
	...Object.fromEntries(Object.entries(fields).map(([name, { order }]) => [name, order])),
} as Readonly<Record<OrderField, FilterRow['order']>>;

export const orderFields = Object.keys(orderRows) as readonly OrderField[];

export function orderFieldFrom(word: string): OrderField | undefined {
	return orderFields.find(field => field === word);
}

/** Trouble is not reversed: nobody looks first for the computers that need nothing. */
export const isReversible = (by: string) => by !== troubleFirst.by;

/** A busy computer matters more than an idle one. */
export function showsLargestFirst(field: OrderField): boolean {
	return field !== 'trouble' && ['number', 'duration'].includes(fields[field].kind);
}

const phasesByUrgency: readonly string[] = [
	...['error', 'unknown', 'creating', 'updating', 'restarting', 'starting', 'stopping'],
	...['active', 'stopped', 'pooled', 'archived'],
];

type OrderedBy<T> = {
	computerOf: (item: T) => FieldSource;
	accountOf?: (item: T) => string | undefined;
	troubleOrderOf?: (item: T) => number;
};

export function sortComputers<T>(
	items: readonly T[],
	{ by, isReversed }: Ordering,
	now: number,
	{ computerOf, accountOf, troubleOrderOf }: OrderedBy<T>,
): readonly T[] {
	// The separator comes before every character of a name.
	const nameAndId = (item: T) => {
		const { id, name } = computerOf(item).reading;
		return `${naturalKey(name ?? id)}\0${id}`;
	};
	const sorted = (orderValueOf: (item: T) => FieldValue | undefined) =>
		inOrder(items, isReversed, orderValueOf, nameAndId);
	if (by === 'trouble') return sorted(item => troubleOrderOf?.(item));
	if (by === 'account') return sorted(item => accountOf?.(item));
	if (by === 'status') return sorted(item => phasesByUrgency.indexOf(computerOf(item).phase));
	const { kind, values } = fields[by];
	const orderValueOf = (item: T) => values(computerOf(item), now)[0];
	const keyOf = orderKeysOf(kind, items.map(orderValueOf));
	return sorted(item => keyOf(orderValueOf(item)));
}
