import type { Environment } from './features/environment.ts';
import type { TerminalState } from './features/terminal-state.ts';
import type { Capabilities } from './output/cursor-writer.ts';
import { repeatingTerminalPattern } from './output/painter.ts';

/** Returns the sequences that the painter may use, from the environment and from what the terminal reports. */
export function capabilitiesOf(
	{ colourBits, cannotMoveToColumn }: Environment,
	hasLinks: boolean,
	{ name, hasUnicode }: TerminalState,
): Capabilities {
	return {
		hasColours: colourBits > 0,
		hasLinks,
		canRepeatCharacters: repeatingTerminalPattern.test(name ?? ''),
		cannotMoveToColumn,
		lacksUnicode: !hasUnicode,
	};
}
