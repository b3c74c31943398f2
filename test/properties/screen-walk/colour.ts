import type { Terminal } from '@xterm/headless';

const green = 2;

/** Whether a dot that stands for a computer that runs, or for a living connection, is green. */
export function isGreen({ buffer, rows }: Terminal): boolean {
	for (let y = 0; y < rows; y += 1) {
		const line = buffer.active.getLine(y);
		const text = line?.translateToString(true) ?? '';
		// What happened then stays as it was.
		if (/^\s*\d\d:\d\d/.test(text)) continue;
		// All that the program draws there is one cell wide.
		for (let x = text.indexOf('●'); x >= 0; x = text.indexOf('●', x + 1)) {
			const cell = line?.getCell(x);
			if (cell?.isFgPalette() && cell.getFgColor() === green) return true;
		}
	}
	return false;
}
