import { expect, test } from 'vitest';
import {
	plainStyle,
	type Style,
	styleAfter,
	styleChange,
} from '../../../source/terminal/output/style.ts';
import { keptForStyles, sharedStyle } from '../../../source/terminal/output/style-cache.ts';

const red = () => styleAfter(plainStyle, '31');

test('equal styles share one object, and different ones do not', () => {
	const codes = ['31', '91', '41', '31;41', '1', '2', '31;1', '58;5;31', '38;5;31'];
	const styles = codes.map(code => sharedStyle(styleAfter(plainStyle, code)));
	expect(new Set(styles).size).toBe(codes.length);
	for (const [at, code] of codes.entries()) {
		expect(sharedStyle(styleAfter(plainStyle, code))).toBe(styles[at]);
		expect(styles[at]).toEqual(styleAfter(plainStyle, code));
	}
	expect(sharedStyle({ ...plainStyle })).toBe(plainStyle);
	const linked = { ...red(), link: ';https://example.com' };
	expect(sharedStyle(linked)).toBe(linked);
});

test('a change between two styles is computed once, and apart from its reverse', () => {
	const computed: [Style, Style][] = [];
	const change = keptForStyles((one, other) => {
		computed.push([one, other]);
		return styleChange(one, other);
	});
	const style = red();
	expect(change(plainStyle, style)).toBe(styleChange(plainStyle, style));
	expect(change(plainStyle, style)).toBe(styleChange(plainStyle, style));
	expect(change(style, plainStyle)).toBe(styleChange(style, plainStyle));
	expect(change(style, style)).toBe('');
	expect(change(style, style)).toBe('');
	expect(computed).toHaveLength(3);
});
