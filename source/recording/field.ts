import { isSafeForSecrets } from '../fleet/network.ts';
import { isObject } from '../journal/validators.ts';
import type { Anonymizer } from './anonymizer.ts';

export type CleanText = (text: string) => string;

/** Defines how one field of a recording is read from a file and written to a file. */
export type Field<T> = {
	/** Returns the value, made safe to show; undefined if it is of the wrong type. */
	read: (value: unknown, clean: CleanText) => T | undefined;
	/** Returns the value to write; undefined if nothing may be written. */
	write: (value: T, anonymizer: Anonymizer) => T | undefined;
};

/** A field that may be missing. */
type Optional<T> = Field<T> & { isOptional: true };

/** A field for every property of a type. The compiler reports a property that has no field. */
export type FieldsOf<T> = {
	readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K>
		? Optional<Exclude<T[K], undefined>>
		: Field<T[K]>;
};

type Tagged = { type: string };

/** The fields of each member of a union, keyed by its `type`. */
export type ShapesOf<U extends Tagged> = {
	readonly [T in U['type']]: FieldsOf<Omit<Extract<U, { type: T }>, 'type'>>;
};

type AnyField = Field<unknown> & { isOptional?: true };

const textField = (
	write: (text: string, anonymizer: Anonymizer) => string | undefined,
): Field<string> => ({
	read: (value, clean) => (typeof value === 'string' ? clean(value) : undefined),
	write,
});

const numberField = (least: number, most: number): Field<number> => ({
	read: value => (typeof value === 'number' && value >= least && value <= most ? value : undefined),
	write: value => value,
});

/** A word of the platform, a version or a key, which does not identify a person. */
export const wordField = textField(text => text);
export const text = textField((text, anonymizer) => anonymizer.cleanText(text));
export const id = textField((text, anonymizer) => anonymizer.replaceId(text));
export const name = textField((text, anonymizer) => anonymizer.replaceName(text));
export const account = textField((text, anonymizer) => anonymizer.replaceAccount(text));
export const person = textField((text, anonymizer) => anonymizer.replaceEmail(text));
export const address = textField((text, anonymizer) => anonymizer.replaceAddress(text));

/** A secret, which is never written. It is also removed from every text that follows. */
export const secret = textField((text, anonymizer) => {
	anonymizer.addSecret(text);
	return undefined;
});

export const publicAddress: Field<string> = {
	read: (value, clean) =>
		typeof value === 'string' && URL.canParse(value) && isSafeForSecrets(new URL(value))
			? clean(value)
			: undefined,
	write: (url, anonymizer) => anonymizer.replacePublicAddress(url),
};

/** Any number that the screen can show. */
export const number = numberField(-1e15, 1e15);
export const percent = numberField(0, 100);
export const port = numberField(1, 65_535);
/** Milliseconds since 1970, within the range of Date. */
export const timeField = numberField(-8.64e15, 8.64e15);

export const booleanField: Field<boolean> = {
	read: value => (typeof value === 'boolean' ? value : undefined),
	write: value => value,
};

export function oneOf<const T extends string>(...words: readonly T[]): Field<T> {
	return { read: value => words.find(each => each === value), write: value => value };
}

export function optional<T>(field: Field<T>): Optional<T> {
	return { ...field, isOptional: true };
}

export function nullable<T>({ read, write }: Field<T>): Field<T | null> {
	return {
		read: (value, clean) => (value === null ? null : read(value, clean)),
		write: (value, anonymizer) => (value === null ? null : write(value, anonymizer)),
	};
}

export function listOf<T>(field: Field<T>): Field<readonly T[]> {
	return {
		read(value, clean) {
			if (!Array.isArray(value)) return undefined;
			const parts = value.map(part => field.read(part, clean));
			return parts.every(part => part !== undefined) ? (parts as readonly T[]) : undefined;
		},
		write: (values, anonymizer) => values.flatMap(value => field.write(value, anonymizer) ?? []),
	};
}

export function objectField<T extends object>(fields: FieldsOf<T>): Field<T> {
	const entries = Object.entries(fields) as readonly (readonly [string, AnyField])[];
	return {
		read(value, clean) {
			if (!isObject(value)) return undefined;
			const read: Record<string, unknown> = {};
			for (const [key, field] of entries) {
				const stored = Object.hasOwn(value, key) ? value[key] : undefined;
				if (stored === undefined && field.isOptional) continue;
				const part = field.read(stored, clean);
				if (part === undefined) return undefined;
				read[key] = part;
			}
			return read as T;
		},
		write(value, anonymizer) {
			const written: Record<string, unknown> = {};
			for (const [key, field] of entries) {
				const known = (value as Record<string, unknown>)[key];
				if (known !== undefined) written[key] = field.write(known, anonymizer);
			}
			return written as T;
		},
	};
}

/** Creates the field for a value of a union, whose `type` decides which other fields it has. */
export function unionField<U extends Tagged>(shapes: ShapesOf<U>): Field<U> {
	const kinds = new Map(
		Object.entries(shapes).map(([type, fields]) => [type, objectField(fields as FieldsOf<object>)]),
	);
	return {
		read(value, clean) {
			const type = isObject(value) ? String(value['type']) : '';
			const read = kinds.get(type)?.read(value, clean);
			return read && ({ type, ...read } as U);
		},
		write(value, anonymizer) {
			const written = kinds.get(value.type)?.write(value, anonymizer);
			return written && ({ type: value.type, ...written } as U);
		},
	};
}
