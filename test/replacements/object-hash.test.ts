import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../properties/runs.ts';
import { loadBoth } from './both.ts';

test('the replacement of object-hash computes the same hashes as the original', async () => {
	type Hashing = { default?: { sha1(value: unknown): string }; sha1(value: unknown): string };
	const { original, replaced } = await loadBoth<Hashing>('object-hash/index.js');
	const value = fc.anything({ withDate: true, withMap: true, withSet: true, withBigInt: true });
	fc.assert(
		fc.property(fc.record({ row: value, cells: fc.dictionary(fc.string(), value) }), value => {
			expect(replaced.sha1(value)).toBe(original.sha1(value));
		}),
		runs(60),
	);
});
