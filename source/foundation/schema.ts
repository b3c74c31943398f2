import * as v from 'valibot';
import { isSafeAddress } from './network.ts';

export type { GenericSchema } from 'valibot';

/**
 * A `word` is a name, a version, a key or an address of a computer. A `text` may contain anything. A `secret` gives access.
 */
export type TextKind = 'word' | 'text' | 'id' | 'publicAddress' | 'secret';

const textOf = (kind: TextKind) => v.pipe(v.string(), v.metadata({ kind }));

export const word = textOf('word');
export const text = textOf('text');
export const id = textOf('id');
export const secret = textOf('secret');
export const publicAddress = v.pipe(textOf('publicAddress'), v.check(isSafeAddress));

const numberBetween = (least: number, most: number) =>
	v.pipe(v.number(), v.minValue(least), v.maxValue(most));

export const largestNumber = 1e15;

export const number = numberBetween(-largestNumber, largestNumber);
export const count = numberBetween(0, Number.MAX_VALUE);
export const percent = numberBetween(0, 100);
export const port = numberBetween(1, 65_535);
/** Milliseconds since 1970, within the range of Date. */
export const time = numberBetween(-8.64e15, 8.64e15);

export const boolean = v.boolean();
export const literal = v.literal;
export type LiteralSchema<Word extends string> = v.LiteralSchema<Word, undefined>;
export const nullable = v.nullable;
export const oneOf = v.picklist;
export const optional = v.exactOptional;
export const object = v.object;

export const listOf = <const Item extends v.GenericSchema>(item: Item) =>
	v.pipe(v.array(item), v.readonly());

type UnionTable = Readonly<Record<string, v.ObjectEntries | readonly v.ObjectEntries[]>>;

export type UnionOf<Table extends UnionTable, Key extends string = 'type'> = {
	[Type in keyof Table & string]: Record<Key, Type> & MemberOf<Table[Type]>;
}[keyof Table & string];

type MemberOf<Row> = Row extends readonly (infer Entries extends v.ObjectEntries)[]
	? Entries extends unknown
		? FieldsOf<Entries>
		: never
	: Row extends v.ObjectEntries
		? FieldsOf<Row>
		: never;

type FieldsOf<Entries extends v.ObjectEntries> = ValueOf<v.ObjectSchema<Entries, undefined>>;

/** The field `key` decides which other fields a value has. All values have the fields in `common`. */
export function unionOf<
	Table extends UnionTable,
	Common extends v.ObjectEntries = Record<never, v.GenericSchema>,
	Key extends string = 'type',
>(
	table: Table,
	common?: Common,
	key = 'type' as Key,
): v.GenericSchema<UnionOf<Table, Key> & FieldsOf<Common>> {
	const members = Object.entries(table).flatMap(([type, row]) =>
		[row].flat().map(fields => v.object({ [key]: v.literal(type), ...common, ...fields })),
	);
	return v.variant(key as string, members) as v.GenericSchema<unknown> as ReturnType<
		typeof unionOf<Table, Common, Key>
	>;
}

export type ValueOf<Schema extends v.GenericSchema> = v.InferOutput<Schema>;
