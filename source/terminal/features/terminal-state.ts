import type { Clock } from '../../foundation/clock.ts';

export type TerminalState = {
	/** False only after the terminal reported that another window has the focus. */
	readonly isFocused: boolean;
	/** Many terminals and multiplexers never report it. */
	readonly reportsFocus: boolean;
	/** An option says that the line is slow, or the terminal reads slowly. */
	readonly isLowBandwidth: boolean;
	readonly colourBits: 0 | 4 | 8 | 24;
	/** Undefined if the terminal does not report its colour. */
	readonly background: 'dark' | 'light' | undefined;
	readonly hasUnicode: boolean;
	/** Every key counts as a part of the paste then. */
	readonly isPasteUnfinished?: boolean;
	/** With the version, such as `kitty(0.39.1)`. */
	readonly name: string | undefined;
};

const slowFrameMs = 500;
const slownessLastsMs = 60_000;

export function createSlownessDetector(clock: Clock, onChange: (isSlow: boolean) => void) {
	let cancelEnd: (() => void) | undefined;

	return (milliseconds: number) => {
		if (milliseconds < slowFrameMs) return;
		onChange(true);
		cancelEnd?.();
		cancelEnd = clock.after(slownessLastsMs, () => onChange(false));
	};
}
