import type { Clock } from '../fleet/clock.ts';
import { keyForInk } from './key-for-ink.ts';

export type Mouse = {
	kind: 'press' | 'wheelUp' | 'wheelDown';
	/** Cells from the top left corner, which is 0, 0. */
	x: number;
	y: number;
};

/** What the terminal says of its own accord or when asked, as opposed to what a person types. */
export type Report =
	| { kind: 'focus'; isFocused: boolean }
	| { kind: 'mouse'; mouse: Mouse }
	/** The answer that every terminal gives, so that all answers before it have come. */
	| { kind: 'attributes' }
	| { kind: 'keyboard' }
	| { kind: 'name'; name: string }
	| { kind: 'background'; background: 'dark' | 'light' }
	/** Where the cursor stands in the second row, counted from 0. */
	| { kind: 'cursor'; x: number };

export type InputOptions = {
	clock: Clock;
	/** True while answers are awaited: then an escape may be the start of one. */
	isAwaiting: () => boolean;
	/** Whether the terminal marks what is pasted. */
	marksPastes: boolean;
	report: (report: Report) => void;
	/** One key as Ink understands it, or a piece of pasted text between its marks. */
	pass: (text: string) => void;
};

// In the first row the cursor's place would look like F3 with a modifier.
const reports =
	/\u001B\[([IO])|\u001B\[2;(\d+)R|\u001B\[<(\d+);(\d+);(\d+)([Mm])|\u001B\[\?[\d;]*([cu])|\u001B\](\d+);([^\u0007\u001B]*)(?:\u0007|\u001B\\)|\u001BP>\|([^\u001B]*)\u001B\\/g;

/** The start of a report, of a paste or of a key, whose rest is on its way. */
const unfinished =
	/\u001B(?:\[(?:\[|[<?]?[\d;]*)|O[\d;]*|\][^\u0007\u001B]*\u001B?|P[^\u001B]*\u001B?)?$/;
const pasteStart = '\u001B[200~';
const pasteEnd = '\u001B[201~';

/** Sequences that keys send, and single characters: over a slow line several come at once. */
const keys =
	/\u001B{1,2}\[(?:[235678]\$|\[?[0-?]*[ -/]*[@-~])|\u001B{1,2}O[\d;]*[A-Za-z]|\u001B[\s\S]?|[\s\S]/gu;

/** Nobody types so much at once: where pastes are not marked, that was one. A key that is held down
 *  sends one character many times. */
const burst = 16;

/** How long the rest of a sequence may take to come. */
const patience = 30;
/** … and the rest of a paste. */
const pastePatience = 2000;
const longestReport = 2000;
const longestPaste = 100_000;

/**
 * Takes the terminal's reports out of what comes in, so that none is ever taken for a key, also when
 * they come in pieces. Pasted text goes by unread.
 */
export function createInput({ clock, isAwaiting, marksPastes, report, pass }: InputOptions) {
	let pending = '';
	let cancelFlush: (() => void) | undefined;

	function receive(text: string) {
		cancelFlush?.();
		cancelFlush = undefined;
		let rest = pending + text;
		pending = '';
		for (let at = rest.indexOf(pasteStart); at !== -1; at = rest.indexOf(pasteStart)) {
			read(rest.slice(0, at));
			rest = rest.slice(at);
			const end = rest.indexOf(pasteEnd);
			if (end === -1) {
				// The rest of a paste that nobody can have meant is awaited, but not kept.
				pending = rest.length < longestPaste ? rest : pasteStart + rest.slice(-pasteEnd.length);
				cancelFlush = clock.after(pastePatience, flush);
				return;
			}
			pass(rest.slice(0, end + pasteEnd.length));
			rest = rest.slice(end + pasteEnd.length);
		}
		read(rest);
	}

	function read(text: string) {
		let typed = '';
		let start = 0;
		for (const match of text.matchAll(reports)) {
			typed += text.slice(start, match.index);
			start = match.index + match[0].length;
			const found = reportFrom(match);
			if (found) report(found);
		}
		typed += text.slice(start);
		const held = unfinished.exec(typed)?.[0] ?? '';
		// Whoever presses Esc should not have to wait for answers that nobody awaits.
		if (held !== '' && (held !== '\u001B' || isAwaiting()) && held.length < longestReport) {
			pending = held;
			typed = typed.slice(0, typed.length - held.length);
			cancelFlush = clock.after(patience, flush);
		}
		passTyped(typed);
	}

	function passTyped(typed: string) {
		const events = typed.match(keys) ?? [];
		const isPasted =
			!marksPastes &&
			events.length >= burst &&
			new Set(events).size > 1 &&
			!typed.includes('\u001B');
		if (isPasted) pass(pasteStart + typed + pasteEnd);
		else for (const event of events) pass(keyForInk(event));
	}

	/** The rest did not come: a key then, as Esc or Alt-[ are, or something that is lost. */
	function flush() {
		const key = pending.length <= 2 ? pending : '';
		pending = '';
		if (key !== '') pass(keyForInk(key));
	}

	return receive;
}

function reportFrom(match: RegExpMatchArray): Report | undefined {
	const [, focus, column, button, x, y, press, answer, command, content, name] = match;
	if (focus) return { kind: 'focus', isFocused: focus === 'I' };
	if (column) return { kind: 'cursor', x: Number(column) - 1 };
	if (button) return mouseFrom(Number(button), Number(x), Number(y), press === 'M');
	if (answer) return { kind: answer === 'c' ? 'attributes' : 'keyboard' };
	if (name !== undefined) return { kind: 'name', name: name.replace(/[^ -~]/g, '').slice(0, 80) };
	const background = command === '11' ? backgroundFrom(content ?? '') : undefined;
	return background && { kind: 'background', background };
}

/** Shift, Alt and Ctrl are bits of the number too, and so is that the mouse moved. */
function mouseFrom(button: number, x: number, y: number, isPress: boolean): Report | undefined {
	const which = button & ~0b11100;
	const kind = which === 64 ? 'wheelUp' : which === 65 ? 'wheelDown' : 'press';
	if (!isPress || (kind === 'press' && which > 2)) return undefined;
	return { kind: 'mouse', mouse: { kind, x: x - 1, y: y - 1 } };
}

/** `rgb:ffff/ffff/ffff`, with one to four digits each. */
function backgroundFrom(content: string): 'dark' | 'light' | undefined {
	const parts = /^rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(content);
	if (!parts) return undefined;
	const [red = 0, green = 0, blue = 0] = parts
		.slice(1)
		.map(digits => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
	return 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 ? 'light' : 'dark';
}
