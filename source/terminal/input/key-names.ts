// Only keys that terminals can distinguish have a name: `j`, `G`, `ctrl-l`, `alt-shift-up`, `pagedown`.

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

// Ctrl-H is the same as Backspace, Ctrl-I as Tab, and Ctrl-J and Ctrl-M as Enter.
const charactersDistinctWithCtrl = /^[a-gkln-z\\\]^_]$/;

export function isNamedKey(key: string): boolean {
	return keysWithNumberedModifiers.includes(key) || Object.hasOwn(controlCharacterKeys, key);
}

/** For a letter, terminals send the capital instead. */
export function isShiftReportedWith(key: string): boolean {
	return key === 'tab' || keysWithNumberedModifiers.includes(key);
}

export function formatKeyName(key: string, modifiers: Modifiers): string {
	return `${modifierPrefix(modifiers)}${key}`;
}

export function isDistinguishableKey(key: string, modifiers: Modifiers): boolean {
	if (keysWithNumberedModifiers.includes(key)) return true;
	if (Object.hasOwn(controlCharacterKeys, key))
		return controlCharacterKeys[key]?.includes(modifierPrefix(modifiers)) ?? false;
	return !modifiers.shift && (!modifiers.ctrl || charactersDistinctWithCtrl.test(key));
}

function modifierPrefix({ ctrl, alt, shift }: Modifiers): string {
	return `${ctrl ? 'ctrl-' : ''}${alt ? 'alt-' : ''}${shift ? 'shift-' : ''}`;
}
