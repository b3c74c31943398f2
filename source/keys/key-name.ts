import type { Key } from 'ink';
import { isShiftTold, keyNameOf, silentKeys } from '../terminal/key-name.ts';

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
	['tab', 'tab'],
	['backspace', 'backspace'],
	['delete', 'delete'],
];

/**
 * The names of the keys in one event, as the table of bindings has them: `j`, `G`, `ctrl-l`,
 * `pagedown`. A held key on a slow line comes as several letters in one event, so there may be many.
 */
export function keyNames(input: string, key: Key): readonly string[] {
	// A terminal may send keys with Super or Hyper, which no binding can name.
	if (key.eventType === 'release' || key.super || key.hyper) return [];
	// Pressed twice at once it looks as if Alt were held.
	if (key.escape) return ['escape'];
	const name = named.find(([flag]) => key[flag])?.[1] ?? silentName(input);
	if (name !== undefined) return [withHeld(name, key)];
	if (!key.ctrl && !key.meta) return Array.from(input, nameOfLetter);
	return input === '' ? [] : [withHeld(nameOfLetter(input.toLowerCase()), key)];
}

function silentName(input: string): string | undefined {
	return silentKeys.find(([, character]) => character === input)?.[0];
}

function withHeld(name: string, { ctrl, meta: alt, shift }: Key): string {
	return keyNameOf(name, { ctrl, alt, shift: shift && isShiftTold(name) });
}

/** Several keys that come in one event come as letters, those without a letter as control characters. */
function nameOfLetter(letter: string): string {
	if (letter === ' ') return 'space';
	if (letter === '\r' || letter === '\n') return 'enter';
	if (letter === '\t') return 'tab';
	if (letter === '\x1b') return 'escape';
	if (letter === '\x7f' || letter === '\b') return 'backspace';
	if (letter === '\0') return 'ctrl-space';
	if (letter > '\x1f') return letter;
	const code = letter.charCodeAt(0);
	return `ctrl-${String.fromCharCode(code + (code > 26 ? 64 : 96))}`;
}
