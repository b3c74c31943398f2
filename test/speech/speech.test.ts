import { expect, test } from 'vitest';
import { createSpeech } from '../../source/speech/speech.ts';

function heard() {
	const lines = [''];
	const speech = createSpeech({
		write(text) {
			lines[lines.length - 1] += text;
		},
		endLine() {
			lines.push('');
		},
	});
	return { lines, speech };
}

const filter = (typed: string) => ({ key: 'filter', prompt: 'Filter:', typed });

test('what is typed is echoed in its line, letter by letter', () => {
	const { lines, speech } = heard();
	for (const typed of ['', 's', 'st', 'sto']) speech.type(filter(typed));
	expect(lines).toEqual(['Filter: sto']);
	speech.type(undefined);
	expect(lines).toEqual(['Filter: sto', '']);
});

test('what is said meanwhile stands in a line of its own, and the typing goes on below', () => {
	const { lines, speech } = heard();
	speech.type(filter('st'));
	speech.say(['atlas became error.']);
	speech.type(filter('sto'));
	expect(lines).toEqual(['Filter: st', 'atlas became error.', 'Filter: sto']);
});

test('what is erased begins a new line with what is left', () => {
	const { lines, speech } = heard();
	speech.type(filter('sto'));
	speech.type(filter(''));
	expect(lines).toEqual(['Filter: sto', 'Filter: ']);
});

test('nothing to say is nothing written', () => {
	const { lines, speech } = heard();
	speech.type(filter('st'));
	speech.say([]);
	expect(lines).toEqual(['Filter: st']);
});
