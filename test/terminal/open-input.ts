import { createInput } from '../../source/terminal/input/input.ts';
import type { TerminalReport } from '../../source/terminal/input/reports.ts';
import { createHeldClock } from '../held-clock.ts';

/** Opens the input of a terminal on a held clock, and records the keys, pastes and reports that it passes on. */
export function openInput({ hasPasteMarks = true } = {}) {
	const clock = createHeldClock();
	const reports: TerminalReport[] = [];
	const passed: string[] = [];
	const receive = createInput({
		clock,
		activityClock: clock,
		hasPasteMarks,
		onReport: report => reports.push(report),
		onStall() {},
		onKey: key => passed.push(key),
		onPaste: text => passed.push(`paste ${text}`),
	});
	return {
		clock,
		reports,
		passed,
		receive,
		/** Receives pieces of text, with the milliseconds between them, and returns what was passed on. */
		come(...parts: readonly (string | number)[]) {
			for (const part of parts) {
				if (typeof part === 'number') clock.move(part);
				else receive(part);
			}
			return passed;
		},
	};
}
