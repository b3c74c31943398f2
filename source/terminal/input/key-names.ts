// The names of keys in the table of actions and in the configuration: `j`, `G`, `ctrl-l`, `alt-shift-up`, `pagedown`. Only keys
// that terminals can distinguish have a name.

/** The modifier keys that are held down together with a key. */
export type Modifiers = { ctrl: boolean; alt: boolean; shift: boolean };

const functionKeys = Array.from({ length: 12 }, (_, at) => `f${at + 1}`);

// Keys whose modifiers terminals send as a number, so that every combination is distinct.
const keysWithNumberedModifiers = [
	...['up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown', 'delete'],
	'insert',
	...functionKeys,
];

// Terminals send these keys as control characters, so they are distinct only with the listed modifiers.
const controlCharacterKeys: Readonly<Record<string, readonly string[]>> = {
	enter: ['', 'alt-'],
	escape: [''],
	space: ['', 'ctrl-', 'alt-', 'ctrl-alt-'],
	tab: ['', 'alt-', 'shift-'],
	backspace: ['', 'alt-'],
};

// The characters that stay distinct with Ctrl. Ctrl-H is the same as Backspace, Ctrl-I as Tab, and Ctrl-J
// and Ctrl-M as Enter.
const charactersDistinctWithCtrl = /^[a-gkln-z\\\]^_]$/;

export function isNamedKey(key: string): boolean {
	return keysWithNumberedModifiers.includes(key) || Object.hasOwn(controlCharacterKeys, key);
}

/** Whether terminals report Shift with this key. For a letter they send the capital instead. */
export function isShiftReportedWith(key: string): boolean {
	return key === 'tab' || keysWithNumberedModifiers.includes(key);
}

/** Returns the key's full name, with the modifiers in a fixed order: ctrl, alt, shift. */
export function formatKeyName(key: string, modifiers: Modifiers): string {
	return `${modifierPrefix(modifiers)}${key}`;
}

/** Whether common terminals send a sequence for this key that no other key sends. */
export function isDistinguishableKey(key: string, modifiers: Modifiers): boolean {
	if (keysWithNumberedModifiers.includes(key)) return true;
	if (Object.hasOwn(controlCharacterKeys, key))
		return controlCharacterKeys[key]?.includes(modifierPrefix(modifiers)) ?? false;
	return !modifiers.shift && (!modifiers.ctrl || charactersDistinctWithCtrl.test(key));
}

function modifierPrefix({ ctrl, alt, shift }: Modifiers): string {
	return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${shift ? 'shift-' : ''}`;
}
