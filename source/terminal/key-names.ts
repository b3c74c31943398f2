// The names of keys, which bindings, configuration and keyboard share: `j`, `G`, `ctrl-l`, `alt-shift-up`,
// `pagedown`. Only keys that terminals can distinguish have a name.

/** The keys that are held down with a key. */
export type Modifiers = { ctrl: boolean; alt: boolean; shift: boolean };

const functionKeys = Array.from({ length: 12 }, (_, at) => `f${at + 1}`);

/**
 * Keys that Ink reads and does not report. They pass through it as the characters that Kitty's protocol
 * has for them, which no other key types.
 */
export const keysHiddenByInk: readonly (readonly [name: string, character: string])[] = [
	['insert', '\uE004'],
	...functionKeys.map((name, at) => [name, String.fromCharCode(0xe014 + at)] as const),
];

// Terminals send the modifiers of these keys as a number.
const numbered = [
	...['up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown', 'delete'],
	...keysHiddenByInk.map(([name]) => name),
];

// These keys are control characters. Most modifiers do not change them, or turn them into other keys.
const characters: Readonly<Record<string, readonly string[]>> = {
	enter: ['', 'alt-'],
	escape: [''],
	space: ['', 'ctrl-', 'alt-', 'ctrl-alt-'],
	tab: ['', 'alt-', 'shift-'],
	backspace: ['', 'alt-'],
};

// Ctrl clears bits of a letter: Ctrl-H is Backspace, Ctrl-I is Tab, Ctrl-J and Ctrl-M are Enter.
const withCtrl = /^[a-gkln-z\\\]^_]$/;

export function isNamedKey(key: string): boolean {
	return numbered.includes(key) || Object.hasOwn(characters, key);
}

/** Whether terminals report Shift with this key. With a letter they send the capital instead. */
export function reportsShift(key: string): boolean {
	return key === 'tab' || numbered.includes(key);
}

/** Writes the modifiers in a fixed order: ctrl, alt, shift. */
export function formatKeyName(key: string, held: Modifiers): string {
	return `${modifierPrefix(held)}${key}`;
}

/** Whether usual terminals send a sequence for this key that no other key sends. */
export function isDistinguishable(key: string, held: Modifiers): boolean {
	if (numbered.includes(key)) return true;
	if (Object.hasOwn(characters, key))
		return characters[key]?.includes(modifierPrefix(held)) ?? false;
	return !held.shift && (!held.ctrl || withCtrl.test(key));
}

function modifierPrefix({ ctrl, alt, shift }: Modifiers): string {
	return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${shift ? 'shift-' : ''}`;
}
