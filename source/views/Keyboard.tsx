import { type Key, useFocusManager, useInput, usePaste } from 'ink';
import { memo, useEffect } from 'react';
import {
	formatKeyName,
	isShiftReportedWith,
	keysHiddenByInk,
} from '../terminal/input/key-names.ts';
import { useLatest } from './latest-value.ts';

type Props = {
	press: (key: string) => void;
	paste: (text: string) => void;
};

/**
 * The only place where keys arrive. The component is memoized, because it has many hooks, and its props stay the same from
 * frame to frame.
 */
export const Keyboard = memo(function Keyboard(props: Props): null {
	const latest = useLatest(props);
	// Ink moves a focus of its own, which nothing here uses. With each Escape it would ask React to remove that focus,
	// and React keeps such requests until Ink's outermost component is drawn again, which never happens.
	const { disableFocus } = useFocusManager();
	useEffect(disableFocus, [disableFocus]);
	// Ink keeps these functions of the first render, so they use nothing but the reference.
	useInput((input, key) => {
		for (const name of keyNames(input, key)) latest.current.press(name);
	});
	usePaste(text => latest.current.paste(text));
	return null;
});

const keyNamesByFlag: readonly (readonly [keyof Key, string])[] = [
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
 * Returns the names of the keys in one event of Ink, such as `j`, `G`, `ctrl-l`, `pagedown`. On a slow line
 * several letters may arrive in one event.
 */
export function keyNames(input: string, key: Key): readonly string[] {
	// Bindings cannot name keys with Super or Hyper.
	if (key.eventType === 'release' || key.super || key.hyper) return [];
	// Two presses of Escape that arrive together look like Alt-Escape, so modifiers are ignored.
	if (key.escape) return ['escape'];
	const name = keyNamesByFlag.find(([flag]) => key[flag])?.[1] ?? nameOfKeyHiddenByInk(input);
	if (name !== undefined) return [withModifiers(name, key)];
	if (!key.ctrl && !key.meta) return Array.from(input, nameOfCharacter);
	return input === '' ? [] : [withModifiers(nameOfCharacter(input.toLowerCase()), key)];
}

function nameOfKeyHiddenByInk(input: string): string | undefined {
	return keysHiddenByInk.find(([, character]) => character === input)?.[0];
}

function withModifiers(name: string, { ctrl, meta: alt, shift }: Key): string {
	return formatKeyName(name, { ctrl, alt, shift: shift && isShiftReportedWith(name) });
}

/**
 * Names one character of an event that holds several keys. Ink reports special keys in such an event as
 * control characters.
 */
function nameOfCharacter(letter: string): string {
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
