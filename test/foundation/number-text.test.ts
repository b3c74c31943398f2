import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountText, countText, rateText } from '../../source/foundation/number-text.ts';

test('counts have a separator for thousands', () => {
	expect([0, 24, 996, 1000, 10_000, 1_234_567].map(countText)).toEqual([
		...['0', '24', '996', '1,000', '10,000', '1,234,567'],
	]);
});

test('amounts have cents as long as they fit into eight cells', () => {
	expect([38.75, -0.5, 1234.56, 123_456.78, 12_345_678].map(amountText)).toEqual([
		...['38.75', '-0.50', '1,234.56', '123,457', '12.3M'],
	]);
});

test('no amount and no rate is wider than its slot', () => {
	fc.assert(
		fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), value => {
			expect(amountText(value).length).toBeLessThanOrEqual(8);
			expect(rateText(value / 1e3).length).toBeLessThanOrEqual(4);
		}),
	);
});
