import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phaseOf } from '../../../source/fleet/computers/computer.ts';
import type { FieldSource } from '../../../source/fleet/computers/field.ts';
import {
	createWordIndex,
	hasWord,
	wordSearchFor,
} from '../../../source/fleet/computers/word-search.ts';

// A few letters in both cases, so that words are found often, and texts that resemble each other.
const unit = fc.constantFrom('a', 'A', 'b', 't', 'T', 'z', '1', '7', '-', '_', ' ', 'İ', 'Σ', '界');
const text = fc.string({ unit, maxLength: 4 });
const value = fc.option(text, { nil: null });
const subject: fc.Arbitrary<FieldSource> = fc
	.record(
		{
			id: text,
			name: value,
			address: value,
			version: value,
			location: value,
			stage: value,
			error: value,
			status: fc.oneof(text, fc.constantFrom('active', 'error')),
		},
		{ requiredKeys: ['id'] },
	)
	.map(reading => ({
		reading,
		phase: phaseOf(reading.status),
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
				const search = wordSearchFor(word);
				// Every third computer was left out by an earlier letter.
				const depths = Uint16Array.from(last, (_, at) => (at % 3 === 2 ? 4 : 5));
				index.raiseDepths(depths, 5, search);
				const wanted = last.map((each, at) => (at % 3 === 2 ? 4 : hasWord(each, search) ? 6 : 5));
				expect([...depths]).toEqual(wanted);
			}
		}),
		{ numRuns: 300 },
	);
});
