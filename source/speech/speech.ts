import type { LineTerminal } from '../terminal/line-terminal.ts';

/** The line that a person is typing. */
export type SpokenTypedLine = { lineId: string; prompt: string; typed: string };

export type Speech = ReturnType<typeof createSpeech>;

/** Writes whole lines to the terminal, and keeps the line that a person is typing below them. */
export function createSpeech(terminal: Pick<LineTerminal, 'write' | 'endLine'>) {
	let line: SpokenTypedLine | undefined;

	function writeTypedLine() {
		if (line) terminal.write(`${line.prompt} ${line.typed}`);
	}

	return {
		say(lines: readonly string[]) {
			if (lines.length === 0) return;
			if (line) terminal.endLine();
			for (const each of lines) {
				terminal.write(each);
				terminal.endLine();
			}
			writeTypedLine();
		},
		/**
		 * Shows the typed line. New letters are added to the line. After a letter was erased, the remaining
		 * text is written as a new line.
		 */
		type(next: SpokenTypedLine | undefined) {
			const before = line;
			line = next;
			if (before && next && before.lineId === next.lineId && next.typed.startsWith(before.typed)) {
				terminal.write(next.typed.slice(before.typed.length));
				return;
			}
			if (before) terminal.endLine();
			writeTypedLine();
		},
	};
}
