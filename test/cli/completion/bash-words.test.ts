import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	bashCompletion,
	typedWords,
	unquoted,
} from '../../../source/cli/completion/expected-word.ts';
import { anyGrapheme } from '../../arbitraries/characters.ts';

const breaks = ' \t\n"\'@><=;|&(:';

test('a line is split into words as bash splits it', () => {
	expect(typedWords('crowsnest stop my\\ box "a b" \'c d')).toEqual([
		...['crowsnest', 'stop', 'my\\ box', '"a b"', "'c d"],
	]);
	expect(typedWords('crowsnest stop ')).toEqual(['crowsnest', 'stop', '']);
	expect(unquoted('a\\ b"c \\" \\d"\'e\\f\'')).toBe('a bc " \\de\\f');
	expect(unquoted("'open")).toBe('open');
});

test.each([
	['my box', 'm', 'my\\ box'],
	['my box', 'my\\ b', 'my\\ box'],
	['my box', "'my b", "'my box"],
	['my box', '"my', '"my box'],
	["it's", "'it", "'it'\\''s"],
	['--theme=dark', '--theme=d', 'dark'],
	['--theme=dark', "--theme='d", "'dark"],
	['a:b:c', 'a:', 'b:c'],
	['a:b:c', 'a\\:', 'a:b:c'],
	['x y:z', 'x\\ y:', 'z'],
	['~root', '', '\\~root'],
	['größe', 'g', 'größe'],
])('with the candidate %j, the typed word %j is completed to %j', (candidate, typed, text) => {
	expect(bashCompletion(candidate, typed, breaks)).toBe(text);
});

test('a word is not completed when bash would still expand it or when its quote is closed', () => {
	expect(bashCompletion('$(id)', '"$', breaks)).toBeUndefined();
	expect(bashCompletion('hi!', '"h', breaks)).toBeUndefined();
	expect(bashCompletion('atlas', "'at'", breaks)).toBeUndefined();
	expect(bashCompletion('atlas', 'b', breaks)).toBeUndefined();
});

test('bash reads every completion as the one word that was offered', () => {
	const word = fc.string({ unit: 'binary-ascii', minLength: 1 });
	const names = fc
		.sample(fc.oneof(word, fc.string({ unit: anyGrapheme, minLength: 1 })), 500)
		.filter(name => !/\p{Control}/u.test(name));
	const completions = names.flatMap(name =>
		["'", ''].map(typed => ({ name, text: bashCompletion(name, typed, breaks) ?? '' })),
	);
	const script = completions
		.map(({ text }) => `printf '%s\\0' ${text}${text.startsWith("'") ? "'" : ''}\n`)
		.join('');
	const { stdout, stderr } = spawnSync('bash', ['--norc', '-s'], {
		encoding: 'utf8',
		input: script,
		env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
	});
	expect(stderr).toBe('');
	expect(stdout.split('\0').slice(0, -1)).toEqual(completions.map(({ name }) => name));
});
