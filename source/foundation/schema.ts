import * as v from 'valibot';
import { isSafeAddress } from './network.ts';

export type { GenericSchema } from 'valibot';

/**
 * A `word` is a name, a version, a key or an address of a computer. A `text` may contain anything. A `secret` gives access.
 */
type TextKind = 'word' | 'text' | 'id' | 'publicAddress' | 'secret';

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

export type UnionOf<Table extends UnionTable> = {
	[Type in keyof Table & string]: { type: Type } & MemberOf<Table[Type]>;
}[keyof Table & string];

type MemberOf<Row> = Row extends readonly (infer Entries extends v.ObjectEntries)[]
	? Entries extends unknown
		? FieldsOf<Entries>
		: never
	: Row extends v.ObjectEntries
		? FieldsOf<Row>
		: never;

type FieldsOf<Entries extends v.ObjectEntries> = ValueOf<v.ObjectSchema<Entries, undefined>>;

export function unionOf<
	Table extends UnionTable,
	Common extends v.ObjectEntries = Record<never, v.GenericSchema>,
>(table: Table, common?: Common): v.GenericSchema<UnionOf<Table> & FieldsOf<Common>> {
	const members = Object.entries(table).flatMap(([type, row]) =>
		[row].flat().map(fields => v.object({ type: v.literal(type), ...common, ...fields })),
	);
	return v.variant('type', members) as v.GenericSchema<unknown> as ReturnType<
		typeof unionOf<Table, Common>
	>;
}

export type ValueOf<Schema extends v.GenericSchema> = v.InferOutput<Schema>;

/** A text for which it returns undefined is left out. */
export type ReplaceText = (text: string, kind: TextKind) => string | undefined;

type Schema =
	| { type: 'string' }
	| { type: 'nullable' | 'exact_optional'; wrapped: Schema }
	| { type: 'array'; item: Schema }
	| { type: 'object'; entries: Readonly<Record<string, Schema>> }
	| { type: 'variant'; options: readonly Schema[] }
	| { type: 'literal'; literal: unknown }
	| { type: 'number' | 'boolean' | 'picklist' };

export const validatorOf = <S extends v.GenericSchema>(schema: S) => ({
	isValid: (value: unknown): value is ValueOf<S> => v.is(schema, value),
	parse(value: unknown): ValueOf<S> | undefined {
		const { success, output } = v.safeParse(schema, value, { abortEarly: true });
		return success ? output : undefined;
	},
	copy: (value: ValueOf<S>, replace: ReplaceText) =>
		copied(schema as unknown as Schema, value, replace) as ValueOf<S>,
});

function copied(schema: Schema, value: unknown, replace: ReplaceText): unknown {
	switch (schema.type) {
		case 'string':
			return replace(String(value), textKindOf(schema));
		case 'nullable':
		case 'exact_optional':
			return value === null ? null : copied(schema.wrapped, value, replace);
		case 'array':
			return (value as readonly unknown[])
				.map(item => copied(schema.item, item, replace))
				.filter(item => item !== undefined);
		case 'object':
			return Object.fromEntries(
				Object.entries(schema.entries).flatMap(([key, entry]) => {
					const content = (value as Fields)[key];
					const copy = content === undefined ? undefined : copied(entry, content, replace);
					return copy === undefined ? [] : [[key, copy]];
				}),
			);
		case 'variant': {
			const member = schema.options.find(option => hasLiteralsOf(option, value as Fields));
			return member && copied(member, value, replace);
		}
		default:
			return value;
	}
}

const hasLiteralsOf = (member: Schema, value: Fields) =>
	member.type === 'object' &&
	Object.entries(member.entries).every(
		([key, entry]) => entry.type !== 'literal' || entry.literal === value[key],
	);

function textKindOf(schema: Schema): TextKind {
	const { kind } = v.getMetadata(schema as never) as { kind?: TextKind };
	return kind ?? 'text';
}

export function jsonFrom(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}

type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
