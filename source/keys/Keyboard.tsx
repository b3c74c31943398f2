import { type Key, useInput, usePaste } from 'ink';
import { formatKeyName, keysHiddenByInk, reportsShift } from '../terminal/key-names.ts';
import type { Intent } from './binding.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { KeyContext } from './key-context.ts';

type Props = {
	dispatcher: Dispatcher;
	/** Asked for every key anew: the key before it may have changed it. */
	contextNow: () => KeyContext;
	onIntent: (intent: Intent) => void;
};

/** The one place where keys come in. A paste is text where text is typed, and nothing elsewhere. */
export function Keyboard({ dispatcher, contextNow, onIntent }: Props): null {
	useInput((input, key) => {
		for (const name of keyNames(input, key)) {
			const intent = dispatcher(name, contextNow());
			if (intent) onIntent(intent);
		}
	});
	usePaste(text => {
		const place = contextNow();
		if (place === 'line' || place === 'palette') onIntent({ type: 'type', text });
		if (place === 'question') onIntent({ type: 'answer', input: { paste: text } });
	});
	return null;
}

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
	return keysHiddenByInk.find(([, character]) => character === input)?.[0];
}

function withHeld(name: string, { ctrl, meta: alt, shift }: Key): string {
	return formatKeyName(name, { ctrl, alt, shift: shift && reportsShift(name) });
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
