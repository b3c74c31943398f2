import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phaseOf } from '../../../source/fleet/computers/computer.ts';
import type { FieldSource } from '../../../source/fleet/computers/field.ts';
import {
	createWordIndex,
	createWordSearch,
	hasWord,
} from '../../../source/fleet/computers/word-search.ts';

// A few letters in both cases, so that words are found often, and texts that resemble each other.
const unit = fc.constantFrom('a', 'A', 'b', 't', 'T', 'z', '1', '7', '-', '_', ' ', 'İ', 'Σ', '界');
const text = fc.string({ unit, maxLength: 4 });
const value = fc.option(text, { nil: null });
const subject: fc.Arbitrary<FieldSource> = fc
	.record(
		{
			...{ id: text, name: value, address: value, version: value, location: value },
			...{ stage: value, error: value },
			status: fc.oneof(text, fc.constantFrom('active', 'error')),
		},
		{ requiredKeys: ['id'] },
	)
	.map(reading => ({
		...{ reading, phase: phaseOf(reading.status) },
		since: { at: 0, isLowerBound: true },
	}));

test('a word is found with the index in the same computers as without it, also after some have changed', () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.array(subject, { maxLength: 6 }), text)), lists => {
			const index = createWordIndex<FieldSource>(each => each);
			let last: readonly FieldSource[] = [];
			for (const [computers, word] of lists) {
				// Every other computer stays as it was.
				last = computers.map((each, at) => (at % 2 ? (last[at] ?? each) : each));
				index.update(last);
				const search = createWordSearch(word);
				const find = index.finderOf(search);
				expect(last.map(find)).toEqual(last.map(each => hasWord(each, search)));
			}
		}),
		{ numRuns: 300 },
	);
});

test('a computer that is new since the index was made is not in it', () => {
	const index = createWordIndex<FieldSource>(each => each);
	const computer = { reading: { id: 'a' }, phase: 'unknown', since: { at: 0, isLowerBound: true } };
	const [one, other] = [{ ...computer }, { ...computer }] as FieldSource[];
	index.update([one as FieldSource]);
	const find = index.finderOf(createWordSearch('a'));
	expect(find(one as FieldSource, 0)).toBe(true);
	expect(find(other as FieldSource, 0)).toBe(undefined);
});
