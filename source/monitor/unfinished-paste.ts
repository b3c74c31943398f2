import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../foundation/clock.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Screen } from '../views/look/screen.ts';

type Options = {
	terminal: Pick<Terminal, 'state' | 'onStateChange'>;
	screenStore: StoreApi<Screen>;
	clock: Clock;
};

const unfinishedPasteText = 'A paste has not ended. Press Esc to end it.';

/** Shows a notice while the terminal has not ended a paste, because all keys are ignored until then. */
export function showUnfinishedPaste({ terminal, screenStore, clock }: Options): () => void {
	let isShown = false;
	return terminal.onStateChange(() => {
		const { isPasteUnfinished = false } = terminal.state();
		if (isPasteUnfinished === isShown) return;
		isShown = isPasteUnfinished;
		if (isShown)
			screenStore.setState({
				notice: { text: unfinishedPasteText, shownAt: clock.now(), isLasting: true },
			});
		else if (screenStore.getState().notice?.text === unfinishedPasteText)
			screenStore.setState({ notice: undefined });
	});
}
