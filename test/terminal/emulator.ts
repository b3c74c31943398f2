import { Terminal } from '@xterm/headless';

/** A real terminal emulator whose cells can be read. */
export function createEmulator(columns: number, rows: number) {
	const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });

	return {
		resize: (columns: number, rows: number) => terminal.resize(columns, rows),
		write: (text: string) => new Promise<void>(resolve => terminal.write(text, resolve)),
		/** Each cell as a text: its glyph and style. Of a blank, colour and weight cannot be seen. */
		cells(): string[][] {
			const { active } = terminal.buffer;
			return Array.from({ length: terminal.rows }, (_, y) =>
				Array.from({ length: terminal.cols }, (_, x) => {
					const cell = active.getLine(active.baseY + y)?.getCell(x);
					if (!cell) return 'none';
					const glyph = cell.getChars() || (cell.getWidth() === 0 ? '' : ' ');
					const lines = [cell.isUnderline(), cell.isInverse(), cell.isStrikethrough()];
					const letters = [cell.isBold(), cell.isDim(), cell.isItalic()];
					const colour = `${cell.getFgColorMode()}:${cell.getFgColor()}`;
					const background = `${cell.getBgColorMode()}:${cell.getBgColor()}`;
					const isBare = glyph === ' ' && !lines.some(Boolean);
					return [glyph, background, ...(isBare ? [] : [colour, ...lines, ...letters])].join(' ');
				}),
			);
		},
		text: () =>
			Array.from({ length: terminal.rows }, (_, y) =>
				terminal.buffer.active.getLine(terminal.buffer.active.baseY + y)?.translateToString(true),
			).join('\n'),
	};
}
