import { type GenericSchema, getMetadata, is, safeParse } from 'valibot';
import type { TextKind, ValueOf } from './schema.ts';

/** A text for which it returns undefined is left out. */
export type ReplaceText = (text: string, kind: TextKind) => string | undefined;

type Validator<T> = {
	isValid(value: unknown): value is T;
	parse(value: unknown): T | undefined;
	copy(value: T, replace: ReplaceText): T;
};

type Schema =
	| { type: 'string' }
	| { type: 'nullable' | 'exact_optional'; wrapped: Schema }
	| { type: 'array'; item: Schema }
	| { type: 'object'; entries: Readonly<Record<string, Schema>> }
	| { type: 'variant'; options: readonly Schema[] }
	| { type: 'literal'; literal: unknown }
	| { type: 'number' | 'boolean' | 'picklist' };

export const validatorOf = <S extends GenericSchema>(schema: S): Validator<ValueOf<S>> => ({
	isValid: (value): value is ValueOf<S> => is(schema, value),
	parse(value) {
		const { success, output } = safeParse(schema, value, { abortEarly: true });
		return success ? (output as ValueOf<S>) : undefined;
	},
	copy: (value, replace) => copied(schema as unknown as Schema, value, replace) as ValueOf<S>,
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
	const { kind } = getMetadata(schema as never) as { kind?: TextKind };
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
