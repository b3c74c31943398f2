import type { StoreApi } from 'zustand/vanilla';
import type { Intent } from '../keys/binding.ts';
import { moved } from '../store/move.ts';
import { cursorIndex, type Screen } from '../store/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ShownRows } from '../views/shown.ts';
import type { Watch } from '../watch/watch.ts';

type Parts = {
	screens: StoreApi<Screen>;
	watch: Watch;
	terminal: Terminal;
};

/** Does what a key asked for. */
export function createIntents({ screens, watch, terminal }: Parts) {
	const say = (notice: string | undefined) => screens.setState({ notice });

	return (intent: Intent, shown: ShownRows): void => {
		const screen = screens.getState();
		if (screen.notice !== undefined) say(undefined);
		switch (intent.type) {
			case 'move':
				screens.setState(moved({ ...screen, notice: undefined }, intent.move, shown), true);
				break;
			case 'type':
				screens.setState({ filter: screen.filter + intent.text });
				break;
			case 'erase':
				screens.setState({ filter: erased(screen.filter, intent.what) });
				break;
			case 'copy': {
				const id = shown.ids[cursorIndex(screen, shown.ids)];
				if (id === undefined) break;
				say(terminal.copy(id) ? `copied ${id}` : 'this terminal has no clipboard for it');
				break;
			}
			case 'readNow':
				watch.readNow();
				say('reading now');
				break;
			case 'redraw':
				terminal.redraw();
				break;
			case 'suspend':
				terminal.suspend();
				break;
			case 'quit':
				void terminal.end({ kind: 'quit' });
				break;
		}
	};
}

function erased(text: string, what: 'letter' | 'word' | 'line'): string {
	if (what === 'line') return '';
	if (what === 'word') return text.replace(/\S*\s*$/, '');
	return Array.from(text).slice(0, -1).join('');
}
