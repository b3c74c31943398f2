import { expect, test } from 'vitest';
import {
	pictureFrom,
	pictureNamePattern,
	picturePlace,
	pictureText,
} from '../../../source/terminal/picture/picture-file.ts';

const at = 1_795_432_093_000;
const picture = { at, style: '\u001B[90m', lines: [' 1 Fleet  2 Billing', '   atlas  ● Active'] };
const place = picturePlace('/state', [
	['--profile', 'work'],
	[120, 36],
]);

const changed = (fields: object) =>
	JSON.stringify({ ...JSON.parse(pictureText(place, picture)), ...fields });

test('a picture is read as it was written, for the same place', () => {
	expect(pictureFrom(pictureText(place, picture), place, at + 1000)).toEqual(picture);
	expect(place.path.split('/').at(-1)).toMatch(pictureNamePattern);
});

test('a picture is not read for another command line or another size, even if the hash of the place is the same', () => {
	for (const conditions of [
		[
			['--profile', 'lab'],
			[120, 36],
		],
		[
			['--profile', 'work'],
			[80, 36],
		],
	]) {
		const other = picturePlace('/state', conditions);
		expect(other.path).not.toBe(place.path);
		expect(pictureFrom(pictureText(place, picture), other, at)).toBeUndefined();
	}
});

test('a picture is read for a day, and not if the clock was set back behind it', () => {
	const text = pictureText(place, picture);
	const day = 24 * 60 * 60_000;
	expect(pictureFrom(text, place, at + day)).toBeDefined();
	expect(pictureFrom(text, place, at + day + 1)).toBeUndefined();
	expect(pictureFrom(text, place, at - 1)).toBeUndefined();
});

test('a picture that is damaged, of another version, or able to do more than show text is not read', () => {
	const bad = [
		'',
		'{',
		'null',
		'[]',
		pictureText(place, picture).slice(0, 40),
		changed({ version: 2 }),
		changed({ at: 'today' }),
		changed({ lines: 'atlas' }),
		changed({ lines: [5] }),
		changed({ lines: ['\u001B[2J'] }),
		changed({ lines: ['\u009B2J'] }),
		changed({ lines: ['a\nb'] }),
		changed({ lines: ['\u202Eatlas'] }),
		changed({ lines: Array.from({ length: 501 }, () => 'atlas') }),
		changed({ style: '\u001B]0;title\u0007' }),
		changed({ style: '\u001B[2J' }),
		changed({ style: 3 }),
	];
	for (const text of bad) expect(pictureFrom(text, place, at), text).toBeUndefined();
	expect(pictureFrom(changed({ style: '' }), place, at)).toEqual({ ...picture, style: '' });
});
