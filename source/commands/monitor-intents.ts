import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { Intent } from '../keys/binding.ts';
import { moved } from '../store/move.ts';
import { chosenIds, cursorIndex, type Screen } from '../store/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ShownRows } from '../views/shown.ts';
import type { Lookout } from './lookout.ts';
import { createOperationIntents } from './operation-intents.ts';
import type { PasswordIntents } from './password-intents.ts';

type Parts = {
	screens: StoreApi<Screen>;
	lookout: Lookout;
	passwords: PasswordIntents;
	terminal: Terminal;
	clock: Clock;
};

/** Does what a key asked for. */
export function createIntents({ screens, lookout, passwords, terminal, clock }: Parts) {
	const { store, watch, platform, operations, account } = lookout;
	const say = (notice: string | undefined) => screens.setState({ notice });
	const byOperations = createOperationIntents({ screens, operations, terminal, clock, say });
	const computers = () => store.getState().accounts.get(account)?.computers;

	function copy(what: 'id' | 'address', screen: Screen, { ids }: ShownRows) {
		const id = ids[cursorIndex(screen, ids)];
		const [port] = computers()?.get(id ?? '')?.reading.ports ?? [];
		if (id === undefined) return;
		if (what === 'address' && !port) return say('it publishes no port: p publishes one');
		const text = what === 'id' || !port ? id : (port.url ?? platform.publicAddress(id, port.port));
		say(terminal.copy(text) ? `copied ${text}` : 'this terminal has no clipboard for it');
	}

	return (intent: Intent, shown: ShownRows): void => {
		operations.touch();
		if (screens.getState().notice !== undefined) say(undefined);
		const screen = screens.getState();
		switch (intent.type) {
			case 'move':
				if (intent.move.type === 'back' && byOperations.back(screen, shown)) break;
				screens.setState(moved(screen, intent.move, shown), true);
				break;
			case 'type':
				screens.setState({ filter: screen.filter + intent.text });
				break;
			case 'erase':
				screens.setState({ filter: erased(screen.filter, intent.what) });
				break;
			case 'ask': {
				const ids = chosenIds(screen, shown.ids, id => computers()?.has(id) ?? false);
				byOperations.ask(intent, ids);
				break;
			}
			case 'answer':
				if (passwords.isWanted()) passwords.press(intent.input);
				else byOperations.press(intent.input);
				break;
			case 'confirm':
				byOperations.confirm(screen, intent.isYes);
				break;
			case 'retry':
				byOperations.retry();
				break;
			case 'lock':
				operations.lock();
				say('locked: it goes on watching');
				break;
			case 'copy':
				copy(intent.what, screen, shown);
				break;
			case 'readNow':
				if (passwords.reopen()) watch.renew();
				else watch.readNow();
				say('reading now');
				break;
			case 'redraw':
				terminal.redraw();
				break;
			case 'suspend':
				terminal.suspend();
				break;
			case 'quit':
				byOperations.leave();
				break;
		}
	};
}

function erased(text: string, what: 'letter' | 'word' | 'line'): string {
	if (what === 'line') return '';
	if (what === 'word') return text.replace(/\S*\s*$/, '');
	return Array.from(text).slice(0, -1).join('');
}
