import type { LineTerminal } from '../terminal/line-terminal.ts';

/** A line that is being typed. */
export type TypedLine = { key: string; prompt: string; typed: string };

export type Speech = ReturnType<typeof createSpeech>;

/** Whole lines, and the one that is being typed, which goes on below whatever is said meanwhile. */
export function createSpeech(terminal: Pick<LineTerminal, 'write' | 'endLine'>) {
	let line: TypedLine | undefined;

	function begin() {
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
			begin();
		},
		/** What was typed is echoed; what was erased begins a line of what is left. */
		type(next: TypedLine | undefined) {
			const before = line;
			line = next;
			if (before && next && before.key === next.key && next.typed.startsWith(before.typed)) {
				terminal.write(next.typed.slice(before.typed.length));
				return;
			}
			if (before) terminal.endLine();
			begin();
		},
	};
}
