import type { Key } from 'ink';

const named: readonly (readonly [keyof Key, string])[] = [
	['upArrow', 'up'],
	['downArrow', 'down'],
	['leftArrow', 'left'],
	['rightArrow', 'right'],
	['pageUp', 'pageup'],
	['pageDown', 'pagedown'],
	['home', 'home'],
	['end', 'end'],
	['return', 'enter'],
	['escape', 'escape'],
	['tab', 'tab'],
	['backspace', 'backspace'],
	['delete', 'delete'],
];

/**
 * The names of the keys in one event, as the table of bindings has them: `j`, `G`, `ctrl-l`,
 * `pagedown`. A held key on a slow line comes as several letters in one event, so there may be many.
 */
export function keyNames(input: string, key: Key): readonly string[] {
	if (key.eventType === 'release') return [];
	const modifier = key.ctrl ? 'ctrl-' : key.meta ? 'alt-' : '';
	const [, name] = named.find(([flag]) => key[flag]) ?? [];
	if (name === 'tab' && key.shift) return ['shift-tab'];
	if (name !== undefined) return [key.escape ? name : `${modifier}${name}`];
	if (modifier !== '') return input === '' ? [] : [`${modifier}${input.toLowerCase()}`];
	return Array.from(input, nameOfLetter);
}

/** Several keys that come in one event come as letters, those without a letter as control characters. */
function nameOfLetter(letter: string): string {
	if (letter === ' ') return 'space';
	if (letter === '\r' || letter === '\n') return 'enter';
	if (letter === '\t') return 'tab';
	if (letter === '\x1b') return 'escape';
	if (letter === '\x7f' || letter === '\b') return 'backspace';
	return letter < ' ' ? `ctrl-${String.fromCharCode(letter.charCodeAt(0) + 96)}` : letter;
}
