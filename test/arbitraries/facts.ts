import fc from 'fast-check';
import { changeSchema } from '../../source/fleet/change.ts';
import { readingSchema } from '../../source/fleet/computers/computer.ts';
import { type Fact, type FactBody, factTable } from '../../source/fleet/fact.ts';
import { unionOf } from '../../source/foundation/schema.ts';
import { arbitraryOf } from './from-schema.ts';
import { maybe, now } from './values.ts';

export const change = arbitraryOf(changeSchema);
export const reading = arbitraryOf(readingSchema);

/** Generates the facts that are frequent in practice more often than the others. */
const weights: Partial<Record<FactBody['type'], number>> = {
	listRead: 4,
	computerRead: 6,
	operationChanged: 6,
};

/** Generates fact bodies of all types except the excluded types. */
export function factBodyExcept(...excluded: readonly FactBody['type'][]): fc.Arbitrary<FactBody> {
	const types = (Object.keys(factTable) as FactBody['type'][]).filter(
		each => !excluded.includes(each),
	);
	return fc.oneof(
		...types.map(type => ({
			weight: weights[type] ?? 1,
			arbitrary: arbitraryOf(unionOf({ [type]: factTable[type] })) as fc.Arbitrary<FactBody>,
		})),
	);
}

export const factBody = factBodyExcept();

/** Generates facts of two accounts with arbitrary times, in any order. */
export const anyFacts: fc.Arbitrary<readonly Fact[]> = fc.array(
	fc
		.record({
			account: fc.constantFrom('owner', '__proto__'),
			at: fc.nat(300_000).map(later => now + later),
			askedAt: maybe(fc.nat(400_000).map(later => now + later)),
		})
		.chain(({ askedAt, ...origin }) =>
			factBody.map(body => ({ ...origin, ...(askedAt !== undefined && { askedAt }), ...body })),
		),
	{ maxLength: 40 },
);

/** Generates facts as one process produces them: the request of each was sent after the previous fact. */
export const sequentialFacts = (body: fc.Arbitrary<FactBody>): fc.Arbitrary<readonly Fact[]> =>
	fc.array(fc.tuple(fc.integer({ min: 2, max: 9_000 }), body), { maxLength: 60 }).map(steps => {
		let at = now;
		return steps.map(([wait, each]) => {
			at += wait;
			return { account: 'owner', at, askedAt: at - 1, ...each };
		});
	});
