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

const filter = (typed: string) => ({ lineId: 'filter', prompt: 'Filter:', typed });

test('typed letters are added to the input line', () => {
	const { lines, speech } = heard();
	for (const typed of ['', 's', 'st', 'sto']) speech.type(filter(typed));
	expect(lines).toEqual(['Filter: sto']);
	speech.type(undefined);
	expect(lines).toEqual(['Filter: sto', '']);
});

test('a sentence that is spoken while a person types gets its own line above the input line', () => {
	const { lines, speech } = heard();
	speech.type(filter('st'));
	speech.say(['atlas became error.']);
	speech.type(filter('sto'));
	expect(lines).toEqual(['Filter: st', 'atlas became error.', 'Filter: sto']);
});

test('erasing a letter begins a new input line with the remaining text', () => {
	const { lines, speech } = heard();
	speech.type(filter('sto'));
	speech.type(filter(''));
	expect(lines).toEqual(['Filter: sto', 'Filter: ']);
});

test('nothing is written for an empty list of sentences', () => {
	const { lines, speech } = heard();
	speech.type(filter('st'));
	speech.say([]);
	expect(lines).toEqual(['Filter: st']);
});
