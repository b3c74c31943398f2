import { silentKeys } from './key-name.ts';

const numbers: Readonly<Record<string, string>> = {
	...{ 2: 'insert', 11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4', 15: 'f5', 17: 'f6' },
	...{ 18: 'f7', 19: 'f8', 20: 'f9', 21: 'f10', 23: 'f11', 24: 'f12' },
};
const letters: Readonly<Record<string, string>> = { P: 'f1', Q: 'f2', R: 'f3', S: 'f4' };
const consoleLetters: Readonly<Record<string, string>> = {
	...{ A: 'f1', B: 'f2', C: 'f3', D: 'f4', E: 'f5' },
};

/** `CSI 15;5 ~` and, of rxvt, `CSI 15 ^`; `SS3 P` and `CSI 1;5 P`; of Linux's console `CSI [ A`. */
const sent =
	/^(\u001B?)\u001B(?:\[(\d+)(?:;(\d+))?([~$^])|(?:O|\[)(?:1;)?(\d*)([P-S])|\[\[([A-E]))$/;

// Rxvt tells by the last character what is held: Shift, or Ctrl.
const rxvt: Readonly<Record<string, number>> = { $: 1, '^': 4 };

const alt = 2;

/**
 * A key as Ink understands it. Of some it hears and tells nothing, others it takes for the start of a
 * sequence and waits: these it gets as Kitty's protocol writes them.
 */
export function keyForInk(sequence: string): string {
	if (sequence === '\u001B') return '\u001B[27u';
	const [, bracket] = /^\u001B([[O])$/.exec(sequence) ?? [];
	if (bracket !== undefined) return written(bracket, alt);
	const match = sent.exec(sequence);
	if (!match) return sequence;
	const [, doubled, number, more, end = '', held, letter = '', consoleLetter = ''] = match;
	const name = numbers[number ?? ''] ?? letters[letter] ?? consoleLetters[consoleLetter];
	const [, character] = silentKeys.find(([each]) => each === name) ?? [];
	if (character === undefined) return sequence;
	const bits = (Number(more || held || 1) - 1) | (rxvt[end] ?? 0) | (doubled ? alt : 0);
	return written(character, bits);
}

/** These characters stand for keys, and typed by themselves they would be taken for them. */
export function isSilentCharacter(character: string): boolean {
	return silentKeys.some(([, each]) => each === character);
}

function written(character: string, held: number): string {
	const code = character.codePointAt(0);
	return `\u001B[${code};${held + 1};${code}u`;
}
