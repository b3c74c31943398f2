import type { LineTerminal } from '../../terminal/line-terminal.ts';

export type TypedField = { id: string; prompt: string; typed: string };

export type Speech = ReturnType<typeof createSpeech>;

/** Adds whole lines to the terminal, with the field that a person types into below them. */
export function createSpeech(terminal: Pick<LineTerminal, 'write' | 'endLine'>) {
	let field: TypedField | undefined;

	function writeField() {
		if (field) terminal.write(`${field.prompt} ${field.typed}`);
	}

	return {
		say(lines: readonly string[]) {
			if (lines.length === 0) return;
			if (field) terminal.endLine();
			for (const line of lines) {
				terminal.write(line);
				terminal.endLine();
			}
			writeField();
		},
		/** Adds new letters to the field. After a letter was erased, the rest is written as a new line. */
		type(next: TypedField | undefined) {
			const before = field;
			field = next;
			if (before && next && before.id === next.id && next.typed.startsWith(before.typed)) {
				terminal.write(next.typed.slice(before.typed.length));
				return;
			}
			if (before) terminal.endLine();
			writeField();
		},
	};
}
