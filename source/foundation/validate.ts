import type { GenericSchema } from 'valibot';
import type { TextKind, ValueOf } from './schema.ts';

/** Replaces a text of one kind. A text for which it returns undefined is left out. */
export type ReplaceText = (text: string, kind: TextKind) => string | undefined;

export type Validator<T> = {
	/** Whether the value has all fields of the schema. Other fields are allowed. */
	isValid(value: unknown): value is T;
	/** Copies the fields of the schema from a valid value, and replaces every text except fixed words. */
	copy(value: T, replace: ReplaceText): T;
};

type PipeItem =
	| { type: 'min_value' | 'max_value'; requirement: number }
	| { type: 'check'; requirement: (value: unknown) => boolean }
	| { type: 'metadata'; metadata: { kind: TextKind } };

/** The parts of valibot's schemas that this file understands. */
type Schema =
	| { type: 'string' | 'number' | 'boolean'; pipe?: readonly PipeItem[] }
	| { type: 'literal'; literal: unknown }
	| { type: 'picklist'; options: readonly unknown[] }
	| { type: 'nullable' | 'exact_optional'; wrapped: Schema }
	| { type: 'array'; item: Schema }
	| { type: 'object'; entries: Readonly<Record<string, Schema>> }
	| { type: 'variant'; key: string; options: readonly Schema[] };

type Reader = {
	isValid: (value: unknown) => boolean;
	copy: (value: unknown, replace: ReplaceText) => unknown;
};

/**
 * Derives a validator from a schema, several times as fast as valibot itself. The validator is derived when it
 * is first used, so that the start is not delayed.
 */
export function validatorOf<S extends GenericSchema>(schema: S): Validator<ValueOf<S>> {
	let reader: Validator<ValueOf<S>> | undefined;
	const derived = () => {
		reader ??= readerOf(schema as unknown as Schema) as Validator<ValueOf<S>>;
		return reader;
	};
	return {
		isValid: (value): value is ValueOf<S> => derived().isValid(value),
		copy: (value, replace) => derived().copy(value, replace),
	};
}

function readerOf(schema: Schema): Reader {
	switch (schema.type) {
		case 'string':
			return textReader(schema.pipe ?? []);
		case 'number':
			return numberReader(schema.pipe ?? []);
		case 'boolean':
			return fixed(value => typeof value === 'boolean');
		case 'literal':
			return fixed(value => value === schema.literal);
		case 'picklist':
			return fixed(value => schema.options.includes(value));
		case 'exact_optional':
			return readerOf(schema.wrapped);
		case 'nullable': {
			const { isValid, copy } = readerOf(schema.wrapped);
			return {
				isValid: value => value === null || isValid(value),
				copy: (value, replace) => (value === null ? null : copy(value, replace)),
			};
		}
		case 'array': {
			const { isValid, copy } = readerOf(schema.item);
			return {
				isValid: value => Array.isArray(value) && value.every(isValid),
				copy: (value, replace) =>
					(value as readonly unknown[])
						.map(item => copy(item, replace))
						.filter(item => item !== undefined),
			};
		}
		case 'object':
			return objectReader(schema.entries);
		case 'variant':
			return unionReader(schema.key, schema.options);
	}
}

const fixed = (isValid: Reader['isValid']): Reader => ({ isValid, copy: value => value });

function textReader(pipe: readonly PipeItem[]): Reader {
	const kind = pipe.flatMap(item => (item.type === 'metadata' ? item.metadata.kind : []))[0];
	const checks = pipe.flatMap(item => (item.type === 'check' ? item.requirement : []));
	return {
		isValid: value => typeof value === 'string' && checks.every(check => check(value)),
		copy: (value, replace) => replace(String(value), kind ?? 'text'),
	};
}

function numberReader(pipe: readonly PipeItem[]): Reader {
	let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
	for (const item of pipe) {
		if (item.type === 'min_value') least = item.requirement;
		if (item.type === 'max_value') most = item.requirement;
	}
	return fixed(value => typeof value === 'number' && value >= least && value <= most);
}

/** Returns the JSON value of a line; undefined if the line is not JSON. */
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

function objectReader(entries: Readonly<Record<string, Schema>>): Reader {
	const fields = Object.entries(entries).map(([key, schema]) => {
		return { key, isOptional: schema.type === 'exact_optional', ...readerOf(schema) };
	});
	return {
		isValid(value) {
			if (!isObject(value)) return false;
			for (const { key, isOptional, isValid } of fields) {
				const content = value[key];
				if (content === undefined ? !isOptional : !isValid(content)) return false;
			}
			return true;
		},
		copy(value, replace) {
			const copied: Record<string, unknown> = {};
			for (const { key, copy } of fields) {
				const content = (value as Fields)[key];
				if (content === undefined) continue;
				const part = copy(content, replace);
				if (part !== undefined) copied[key] = part;
			}
			return copied;
		},
	};
}

function unionReader(key: string, members: readonly Schema[]): Reader {
	const readers = new Map<unknown, Reader>();
	for (const member of members) {
		const type = member.type === 'object' ? member.entries[key] : undefined;
		if (type?.type === 'literal') readers.set(type.literal, readerOf(member));
	}
	const readerFor = (value: unknown) => readers.get(isObject(value) ? value[key] : undefined);
	return {
		isValid: value => readerFor(value)?.isValid(value) ?? false,
		copy: (value, replace) => readerFor(value)?.copy(value, replace),
	};
}
