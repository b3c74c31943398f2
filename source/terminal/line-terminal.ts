import type { TerminalState } from './features/environment.ts';
import { bell } from './features/escape-sequences.ts';
import { createTerminalLife, type LifeOptions } from './process/life.ts';

export type TypedField = { id: string; prompt: string; typed: string };

export type LineTerminal = ReturnType<typeof createLineTerminal>;

export const stateOfLines: TerminalState = {
	isFocused: true,
	reportsFocus: false,
	isLowBandwidth: false,
	colourBits: 0,
	background: 'dark',
	hasUnicode: false,
};

/** Only printable characters, line breaks and the bell are written, as a screen reader or a braille display needs it. */
export function createLineTerminal(options: LifeOptions & { hasUnicode: boolean }) {
	let isLineBegun = false;
	let field: TypedField | undefined;
	const life = createTerminalLife(options, {
		hasPasteMarks: false,
		leftoverResets: '',
		onTaken() {},
		onGivenBack() {
			const end = isLineBegun ? '\n' : '';
			isLineBegun = false;
			return end;
		},
	});
	const print = (text: string) => life.write(text, life.onShown);

	function write(text: string) {
		const shown = options.hasUnicode ? text : text.replace(/[^\x20-\x7e]/gu, '?');
		const clean = shown.replace(/[\p{Control}\p{Surrogate}]/gu, ' ');
		if (clean === '') return;
		isLineBegun = true;
		print(clean);
	}

	function endLine() {
		isLineBegun = false;
		print('\n');
	}

	function writeField() {
		if (field) write(`${field.prompt} ${field.typed}`);
	}

	return {
		...life,
		say(lines: readonly string[]) {
			if (lines.length === 0) return;
			if (field) endLine();
			for (const line of lines) {
				write(line);
				endLine();
			}
			writeField();
		},
		/** Adds new letters to the field. After a letter was erased, the rest is written as a new line. */
		type(next: TypedField | undefined) {
			const before = field;
			field = next;
			if (before && next && before.id === next.id && next.typed.startsWith(before.typed)) {
				write(next.typed.slice(before.typed.length));
				return;
			}
			if (before) endLine();
			writeField();
		},
		ringBell: () => print(bell),
		// The text of what happens is among the lines, so the bell is enough.
		notify: (_text: string) => print(bell),
		state: () => stateOfLines,
		onStateChange: (_callback: () => void) => () => {},
		redraw() {},
		setTitle(_text: string) {},
	};
}
