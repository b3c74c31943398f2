import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { Screen } from '../screen/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';

type PasteNoticeDeps = {
	terminal: Pick<Terminal, 'conditions' | 'onConditions'>;
	screens: StoreApi<Screen>;
	clock: Clock;
};

const unfinishedPasteText = 'A paste has not ended. Press Esc to leave it.';

/** Says why keys do nothing while the terminal owes the end of a paste, for as long as that lasts. */
export function showUnfinishedPaste({ terminal, screens, clock }: PasteNoticeDeps): () => void {
	let isOpen = false;
	return terminal.onConditions(() => {
		const { isPasteOpen = false } = terminal.conditions();
		if (isPasteOpen === isOpen) return;
		isOpen = isPasteOpen;
		if (isOpen)
			screens.setState({ notice: { text: unfinishedPasteText, at: clock.now(), isLasting: true } });
		else if (screens.getState().notice?.text === unfinishedPasteText)
			screens.setState({ notice: undefined });
	});
}
