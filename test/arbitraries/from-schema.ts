import fc from 'fast-check';
import type { GenericSchema } from 'valibot';
import { operationIds } from '../../source/fleet/operations/operation-table.ts';
import type { ValueOf } from '../../source/foundation/schema.ts';
import { amount, id, key, portNumber, status, text, time, url, version } from './values.ts';

type Schema =
	| { type: 'string' | 'boolean' }
	| { type: 'number'; pipe: readonly { requirement?: number }[] }
	| { type: 'nullable' | 'exact_optional'; wrapped: Schema }
	| { type: 'array'; item: Schema }
	| { type: 'object'; entries: Readonly<Record<string, Schema>> }
	| { type: 'variant' | 'picklist'; options: readonly Schema[] }
	| { type: 'literal'; literal: unknown };

/** Fields in which most texts would mean the same: these meet each other, and the values that the program knows. */
const textsOfFields: Readonly<Record<string, fc.Arbitrary<string>>> = {
	id,
	computer: id,
	key,
	operation: fc.constantFrom(...operationIds()),
	status,
	from: status,
	to: status,
	version,
	url,
	batch: fc.constantFrom('b1', 'b2'),
	plan: fc.constantFrom('free', 'pro', 'odd', '__proto__'),
	email: fc.constant('owner@example.com'),
};

/** The fold adds these to a port; no answer has them. */
const addedFields = ['isOurs', 'omittedAfter'];

/** Generates the values that a schema allows. The name of a field decides which of them are worth trying. */
export const arbitraryOf = <S extends GenericSchema>(schema: S): fc.Arbitrary<ValueOf<S>> =>
	valuesOf(schema as unknown as Schema, '') as fc.Arbitrary<ValueOf<S>>;

function valuesOf(schema: Schema, field: string): fc.Arbitrary<unknown> {
	switch (schema.type) {
		case 'string':
			return textsOfFields[field] ?? text;
		case 'boolean':
			return fc.boolean();
		case 'number':
			return numbersOf(schema.pipe.map(({ requirement }) => requirement ?? 0));
		case 'literal':
			return fc.constant(schema.literal);
		case 'picklist':
			return fc.constantFrom(...schema.options);
		case 'nullable':
			return fc.option(valuesOf(schema.wrapped, field));
		case 'exact_optional':
			return valuesOf(schema.wrapped, field);
		case 'array':
			return fc.array(valuesOf(schema.item, field), { maxLength: 5 });
		case 'variant':
			return fc.oneof(...schema.options.map(option => valuesOf(option, field)));
		case 'object': {
			const fields = Object.entries(schema.entries).filter(([name]) => !addedFields.includes(name));
			const required = fields.filter(([, entry]) => entry.type !== 'exact_optional');
			return fc.record(
				Object.fromEntries(fields.map(([name, entry]) => [name, valuesOf(entry, name)])),
				{ requiredKeys: required.map(([name]) => name) },
			);
		}
	}
}

function numbersOf([, least = 0, most = 0]: readonly number[]): fc.Arbitrary<number> {
	if (least < -1e15) return time;
	if (least < 0) return amount;
	if (most === 65_535) return portNumber;
	return most === 100 ? fc.double({ min: 0, max: 100, noNaN: true }) : fc.nat(60);
}

/** Values with every field that a schema allows, one for each kind of value that there is. */
export function wholeValuesOf(
	schema: GenericSchema,
	texts: Readonly<Record<string, string>>,
	at: number,
): readonly unknown[] {
	const wholeOf = (each: Schema, field: string, parent: string): readonly unknown[] => {
		switch (each.type) {
			case 'string':
				return [texts[`${parent}.${field}`] ?? texts[field] ?? `${field} of atlas`];
			case 'boolean':
				return [true];
			case 'number': {
				const [, least = 0, most = 0] = each.pipe.map(({ requirement }) => requirement ?? 0);
				return [least < -1e15 ? at : most === 65_535 ? 8080 : 41];
			}
			case 'literal':
				return [each.literal];
			case 'picklist':
				return each.options.slice(0, 1);
			case 'nullable':
				return [...wholeOf(each.wrapped, field, parent), null];
			case 'exact_optional':
				return wholeOf(each.wrapped, field, parent);
			case 'array':
				return [wholeOf(each.item, field, parent)];
			case 'variant':
				return each.options.flatMap(option => wholeOf(option, field, parent));
			case 'object': {
				const fields = Object.entries(each.entries)
					.filter(([name]) => !addedFields.includes(name))
					.map(([name, entry]) => [name, wholeOf(entry, name, field)] as const);
				const count = Math.max(...fields.map(([, values]) => values.length));
				return Array.from({ length: count }, (_, kind) =>
					Object.fromEntries(
						fields.map(([name, all]) => {
							const value = all[kind % all.length];
							// In a list, each has an id of its own.
							return [name, name === 'id' && kind > 0 ? `${value}-${kind}` : value];
						}),
					),
				);
			}
		}
	};
	return wholeOf(schema as unknown as Schema, '', '');
}
