import fc from 'fast-check';
import * as valibot from 'valibot';
import { describe, expect, test } from 'vitest';
import { changeSchema } from '../../source/fleet/change.ts';
import { commonFactFields, factTable } from '../../source/fleet/fact.ts';
import { unionOf } from '../../source/foundation/schema.ts';
import { validatorOf } from '../../source/foundation/validate.ts';
import { recordedFactSchema } from '../../source/journal/recording.ts';
import { change, factBody } from '../arbitraries/facts.ts';
import { replacePart } from '../arbitraries/replace-part.ts';
import { everyFact } from '../arbitraries/sample-facts.ts';
import { runs } from '../runs.ts';

const aFact = fc.oneof(
	factBody.map(body => ({ account: 'owner', at: 1_795_248_000_000, ...body })),
	fc.constantFrom(...everyFact),
);

const cases: Readonly<
	Record<string, { schema: valibot.GenericSchema; valid: fc.Arbitrary<unknown> }>
> = {
	fact: { schema: unionOf(factTable, commonFactFields), valid: aFact },
	'recorded fact': {
		schema: recordedFactSchema,
		valid: aFact.filter(({ type }) => type !== 'listRead'),
	},
	change: { schema: changeSchema, valid: change },
};

const part = fc.oneof(
	fc.jsonValue(),
	fc.constantFrom(-1, 0, 1e15, 1e16, 1e308, '', 'https://a.example/', 'http://a.example/', 'stop'),
	fc.constantFrom(null, true, [], [null], {}, { type: 'signedIn' }, { port: 80 }),
);

describe.each(Object.entries(cases))('the schema of a %s', (_, { schema, valid }) => {
	const { isValid, copy } = validatorOf(schema);
	const parsed = valid.map(value => JSON.parse(JSON.stringify(value)) as unknown);

	test('accepts every value of the type', () => {
		fc.assert(
			fc.property(parsed, value => {
				expect(isValid(value)).toBe(true);
			}),
			runs(100),
		);
	});

	test('accepts and copies exactly what valibot does when parts of a value are replaced', () => {
		let [accepted, refused] = [0, 0];
		const changes = fc.array(fc.tuple(fc.nat(500), part), { maxLength: 3 });
		fc.assert(
			fc.property(parsed, changes, (value, replacements) => {
				const changed = replacements.reduce<unknown>(
					(whole, [place, replacement]) => replacePart(whole, place, replacement),
					value,
				);
				const { success, output } = valibot.safeParse(schema, changed);
				expect(isValid(changed)).toBe(success);
				if (success) expect(copy(changed, text => text)).toEqual(output);
				if (success) accepted += 1;
				else refused += 1;
			}),
			runs(100),
		);
		expect(Math.min(accepted, refused)).toBeGreaterThan(20);
	});
});
