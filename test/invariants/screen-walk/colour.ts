import type { Terminal } from '@xterm/headless';

const green = 2;

/** Whether the dot of a running computer or of a live connection is green. */
export function isGreen({ buffer, rows }: Terminal): boolean {
	for (let y = 0; y < rows; y += 1) {
		const line = buffer.active.getLine(y);
		const text = line?.translateToString(true) ?? '';
		// Lines of the log keep their colours.
		if (/^[\s❯]*\d\d:\d\d/.test(text)) continue;
		// Every character before the dot is one cell wide.
		for (let x = text.indexOf('●'); x >= 0; x = text.indexOf('●', x + 1)) {
			const cell = line?.getCell(x);
			if (cell?.isFgPalette() && cell.getFgColor() === green) return true;
		}
	}
	return false;
}
