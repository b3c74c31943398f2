/**
 * The names of keys, for the table of bindings, a person's own keys and the keyboard alike: `j`, `G`,
 * `ctrl-l`, `alt-shift-up`, `pagedown`. Only what terminals tell apart has a name.
 */

/** What is held down beside a key. */
export type Modifiers = { ctrl: boolean; alt: boolean; shift: boolean };

const functionKeys = Array.from({ length: 12 }, (_, at) => `f${at + 1}`);

/**
 * Keys of which Ink hears and tells nobody. They come through it as the characters that Kitty's protocol
 * has for them, which no other key types.
 */
export const keysHiddenByInk: readonly (readonly [name: string, character: string])[] = [
	['insert', '\uE004'],
	...functionKeys.map((name, at) => [name, String.fromCharCode(0xe014 + at)] as const),
];

// Terminals send a number along with these for what is held.
const numbered = [
	...['up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown', 'delete'],
	...keysHiddenByInk.map(([name]) => name),
];

// These are characters of old, and with most of what may be held they stay the same, or become others.
const characters: Readonly<Record<string, readonly string[]>> = {
	enter: ['', 'alt-'],
	escape: [''],
	space: ['', 'ctrl-', 'alt-', 'ctrl-alt-'],
	tab: ['', 'alt-', 'shift-'],
	backspace: ['', 'alt-'],
};

// Ctrl takes bits away from a letter: that of H, I, J and M is Backspace, Tab and twice Enter.
const withCtrl = /^[a-gkln-z\\\]^_]$/;

export function isNamedKey(key: string): boolean {
	return numbered.includes(key) || Object.hasOwn(characters, key);
}

/** Whether terminals tell that Shift is held. With a letter they tell the capital one instead. */
export function reportsShift(key: string): boolean {
	return key === 'tab' || numbered.includes(key);
}

/** The same order always, whatever the order of the fingers. */
export function formatKeyName(key: string, held: Modifiers): string {
	return `${modifierPrefix(held)}${key}`;
}

/** Whether every usual terminal sends something of its own for it. */
export function isDistinguishable(key: string, held: Modifiers): boolean {
	if (numbered.includes(key)) return true;
	if (Object.hasOwn(characters, key))
		return characters[key]?.includes(modifierPrefix(held)) ?? false;
	return !held.shift && (!held.ctrl || withCtrl.test(key));
}

function modifierPrefix({ ctrl, alt, shift }: Modifiers): string {
	return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${shift ? 'shift-' : ''}`;
}
