import { expect, test } from 'vitest';
import { bindings } from '../../source/keys/bindings.ts';
import { helpGroups } from '../../source/keys/help-groups.ts';
import { helpWords, keyWords } from '../../source/speech/answer-words.ts';
import { allLines, sectionWords } from '../../source/speech/words.ts';
import { firstNamesAndCount, pluralize, spellOut } from '../../source/wording/phrases/words.ts';

test.each([
	['up 6d 4h', 'up 6 days 4 hours'],
	['read 1m ago', 'read 1 minute ago'],
	['It takes 5 to 15 s each.', 'It takes 5 to 15 seconds each.'],
	['idle for 30 min (Pro)', 'idle for 30 minutes (Pro)'],
	['read <1m ago', 'read under a minute ago'],
	['loading_image      63%', 'loading_image 63 percent'],
	['loading_image 63% ~8s', 'loading_image 63 percent about 8 seconds'],
	['up 78 %', 'up 78 percent'],
	['1.3.9 → 1.4.2', '1.3.9 to 1.4.2'],
	['Reading the list …', 'Reading the list'],
])('the text "%s" is spoken as "%s"', (text, words) => {
	expect(spellOut(text)).toBe(words);
});

test.each(['web-5m', 'node.3s', 'sb_4d', '1.4.2', 'https://a.example/5m/x/3%20d'])(
	'the name "%s" is spoken without changes',
	text => {
		expect(spellOut(text)).toBe(text);
	},
);

test('a list of more than three names is spoken as three names and a count', () => {
	expect(firstNamesAndCount(['a', 'b', 'c'])).toBe('a, b, c');
	expect(firstNamesAndCount(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
	expect([pluralize(1, 'line'), pluralize(2, 'line')]).toEqual(['1 line', '2 lines']);
});

test('a table is spoken row by row, each cell after its column title, without drawn bars', () => {
	const columns = [
		{ title: 'VERSION', width: 9 },
		{ title: 'COMPUTERS', width: 9 },
		{ title: '', width: 8, draw: () => '' },
		{ title: '', width: 8 },
	];
	const rows = [
		['1.4.2', '17', '0.7', 'yours'],
		['1.3.9', '', '0.3', ''],
		['', '4', '0', ''],
	];
	expect(allLines(sectionWords([[{ type: 'table', columns, rows }]]))).toEqual([
		'1.4.2: computers 17, yours',
		'1.3.9',
		'also computers 4',
	]);
});

test('the spoken help names every key, and says "capital" before a capital letter', () => {
	const help = helpWords(bindings, 'fleet');
	expect(keyWords('D')).toBe('capital D');
	expect(help).toContain('capital D: delete computers and all their data for good.');
	expect(help).toContain('question mark: show or close this help.');
	expect(help.filter(line => line.startsWith('q: quit'))).toHaveLength(1);
	expect(help.indexOf('In the billing view:')).toBeGreaterThan(help.indexOf('q: quit.'));
	for (const line of help) expect(line).toMatch(/^[\x20-\x7e…]+$/);
});

test('the spoken help names the groups of the keys that work here, in the order of the screen', () => {
	const lines = helpWords(bindings, 'fleet');
	expect(lines[0]).toBe('Keys here.');
	const titles = lines.filter(line => line.endsWith(':')).map(line => line.slice(0, -1));
	expect(titles.slice(0, helpGroups.length)).toEqual([...helpGroups]);
	const at = (line: string) => lines.indexOf(line);
	expect(at('x: stop computers; files and processes are kept.')).toBeGreaterThan(at('Do:'));
	expect(at('x: stop computers; files and processes are kept.')).toBeLessThan(at('Mark:'));
	expect(new Set(lines).size).toBeGreaterThan(60);
});
