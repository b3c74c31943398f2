import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { Binding, Intent } from '../keys/binding.ts';
import { chosenItem, paletteItems } from '../keys/palette.ts';
import { needsPlatform, replayRefusal } from '../keys/replay-bindings.ts';
import { addressesOf } from '../operations/port-check.ts';
import { isDeaf, yesKeyOf } from '../operations/question.ts';
import { cleanLine } from '../platform/clean.ts';
import { applyMove, type Move } from '../screen/move.ts';
import { chosenIds, cursorIndex, filterIn, filterProblem, type Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { lastPublishedPort } from '../store/change-log.ts';
import { emptyAccount } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnChoices } from '../wording/columns-text.ts';
import { readNowText } from '../wording/freshness-text.ts';
import { nextModelOrdering } from '../wording/models-text.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';
import { createOperationIntents } from './operation-intents.ts';
import { createPaymentIntents } from './payment-intents.ts';
import type { Player } from './replay-player.ts';
import { createSignInIntents, type PasswordIntents } from './sign-in-intents.ts';

type IntentDeps = {
	screens: StoreApi<Screen>;
	/** Of these the palette is made. */
	bindings: readonly Binding[];
	session: AccountSession;
	passwords: PasswordIntents;
	/** The names of the table's columns until others are chosen. */
	defaultColumns: readonly string[] | undefined;
	/** It shows a recording, and this moves through it. */
	player?: Player | undefined;
	/** Whether the open dialog has been shown; until then it accepts no key. */
	isDialogVisible?: () => boolean;
	/** Leaves the screen for it; absent where nobody is greeted. */
	signIn?: (() => void) | undefined;
	terminal: Pick<Terminal, 'copy' | 'redraw' | 'suspend' | 'end'>;
	clock: Clock;
};

/** Does what a key asked for. */
export function createIntents(parts: IntentDeps) {
	const { screens, bindings, session, passwords, defaultColumns, signIn } = parts;
	const { player, isDialogVisible = () => true, terminal, clock } = parts;
	const { store, watch, platform, operations, account } = session;
	const say = (text: string | undefined) =>
		screens.setState({ notice: text === undefined ? undefined : { text, at: clock.now() } });
	const known = () => store.getState().accounts.get(account) ?? emptyAccount;
	const byOperations = createOperationIntents({
		screens,
		operations,
		platform,
		known,
		terminal,
		clock,
		say,
	});
	const signIns = createSignInIntents({ screens, session, passwords, signIn, clock, say });
	const payments = createPaymentIntents({ screens, session, clock, say });
	const computers = () => known().computers;

	const copied = (text: string, what: string) =>
		terminal.copy(text) ? `Copied ${what}` : 'This terminal has no clipboard access';

	function copy(what: 'id' | 'address' | 'payment', screen: Screen, { ids }: VisibleRows) {
		if (what === 'payment') {
			const { payment } = screen;
			if (payment?.state !== 'open') return say('No payment page yet: o opens one');
			return say(copied(payment.url, 'the address of the payment page'));
		}
		const id = ids[cursorIndex(screen, ids)];
		if (id === undefined) return;
		const ports = computers().get(id)?.reading.ports ?? [];
		const latest = lastPublishedPort(known(), id);
		const port = ports.find(each => each.port === latest) ?? ports[0];
		if (what === 'address' && !port) return say('No published port: p publishes one');
		const text = what === 'id' || !port ? id : addressesOf(platform, id, port).address;
		say(copied(text, text));
	}

	// Models are read when somebody looks at them, and not before.
	function readForView({ view }: Screen) {
		if (view === 'models' && !known().models) watch.readNow({ name: 'models' });
	}

	function checkPorts(screen: Screen, { ids }: VisibleRows) {
		const id = ids[cursorIndex(screen, ids)];
		const ports = computers().get(id ?? '')?.reading.ports ?? [];
		if (id === undefined || ports.length === 0) return say('No published port: p publishes one');
		if (session.isReadOnly || operations.state().isLocked) {
			return say('Not checked: a check can wake a computer, and nothing may be changed now');
		}
		for (const { port } of ports) operations.checkPort(id, port);
		screens.setState({ isDetailOpen: true });
	}

	/** The same key opens and closes the choice. */
	function chooseColumns({ columns, columnMenu }: Screen, what: 'choose' | 'usual') {
		const isOpening = what === 'choose' && !columnMenu;
		const next = what === 'usual' ? defaultColumns : columns;
		const menu = { choices: columnChoices(next), index: 0 };
		const isOpen = isOpening || what === 'usual';
		screens.setState({ columns: next, columnMenu: isOpen ? menu : undefined });
	}

	/** The one who asked for it by name gets what its key would do. */
	function choose({ palette }: Screen, shown: VisibleRows) {
		const item = chosenItem(bindings, palette);
		screens.setState({ palette: undefined });
		if (!item) return;
		const { intent, view } = item;
		if (view) screens.setState(applyMove(screens.getState(), { type: 'view', view }, shown), true);
		act('key' in intent ? { ...intent, key: 'enter' } : intent, shown);
	}

	/** A question of the program's own is answered by one key. */
	function confirm({ confirmation }: Screen, key: string) {
		if (!confirmation || isDeaf(confirmation, clock.now())) return;
		const { about, command } = confirmation;
		if (key === 'c' && command !== undefined) return say(copied(command, command));
		const isYes = key === yesKeyOf(confirmation);
		if (!isYes && key !== 'n' && key !== 'escape') return;
		// The dialog stays until the program has ended: closing it would let what it holds go.
		if (isYes && about === 'leave') return byOperations.quit();
		screens.setState({ confirmation: undefined });
		if (!isYes) return say('Question closed.');
		if (about === 'pay' || about === 'billing') payments.confirmed(about);
		else operations.unlock();
	}

	function act(intent: Intent, shown: VisibleRows): void {
		operations.touch();
		if (screens.getState().notice !== undefined) say(undefined);
		if (player && needsPlatform(intent)) {
			say(replayRefusal);
			return;
		}
		const screen = screens.getState();
		const move = (wanted: Move) => screens.setState(applyMove(screen, wanted, shown), true);
		const look = (text: string) =>
			move({ type: 'look', text, found: paletteItems(bindings, text).length });
		// What is being typed becomes another text.
		const retype = (change: (text: string) => string) =>
			screen.palette
				? look(change(screen.palette.text))
				: move({ type: 'setFilter', text: change(filterIn(screen)) });
		switch (intent.type) {
			case 'move':
				if (intent.move.type === 'back' && byOperations.back(screen, shown)) break;
				// What is wrong with it stands beside the line, which stays open.
				if (intent.move.type === 'endFilter' && filterProblem(known(), screen)) break;
				if (intent.move.type === 'orderBy' && screen.view === 'models') {
					const modelOrdering = nextModelOrdering(screen.modelOrdering, intent.move.by);
					screens.setState({ modelOrdering });
					break;
				}
				if (intent.move.type === 'open' && shown.ids.length === 0 && signIns.isOut()) {
					signIns.open();
					break;
				}
				move(intent.move);
				readForView(screens.getState());
				break;
			case 'type':
				retype(text => text + cleanLine(intent.text));
				break;
			case 'erase':
				retype(text => erased(text, intent.what));
				break;
			case 'ask': {
				const ids =
					intent.targets === 'behind'
						? behindIds(shown)
						: chosenIds(screen, shown.ids, id => computers().has(id));
				if (ids.length === 0 && intent.targets) say('No computer is behind');
				else byOperations.ask(intent, ids);
				break;
			}
			case 'answer':
				if (!isDialogVisible()) break;
				if (passwords.isWanted()) passwords.press(intent.input);
				else byOperations.press(intent.input);
				break;
			case 'confirm':
				if (isDialogVisible()) confirm(screen, intent.key);
				break;
			case 'palette':
				look('');
				break;
			case 'columns':
				chooseColumns(screen, intent.what);
				break;
			case 'signIn':
				signIns.open();
				break;
			case 'choose':
				choose(screen, shown);
				break;
			case 'pay':
			case 'startBilling':
				payments.ask(intent.type === 'pay' ? 'pay' : 'billing', intent.key);
				break;
			case 'retry':
				byOperations.retry(intent.key, screen, shown);
				break;
			case 'lock':
				operations.lock();
				say('Locked. Still watching; L unlocks');
				break;
			case 'copy':
				copy(intent.what, screen, shown);
				break;
			case 'checkPorts':
				checkPorts(screen, shown);
				break;
			case 'readNow':
				watch.readNow();
				if (screen.view === 'models') watch.readNow({ name: 'models' });
				say(readNowText(known(), clock.now()));
				break;
			case 'replay':
				say(player?.act(intent.act));
				break;
			case 'redraw':
				terminal.redraw();
				break;
			case 'suspend':
				terminal.suspend();
				break;
			case 'quit':
				byOperations.leave(intent.key);
				break;
		}
	}

	return act;
}

const behindIds = ({ all }: VisibleRows) =>
	all.filter(({ isBehind }) => isBehind).map(({ computer }) => computer.id);

function erased(text: string, what: 'letter' | 'word' | 'line'): string {
	if (what === 'line') return '';
	if (what === 'word') return text.replace(/\S*\s*$/, '');
	return Array.from(text).slice(0, -1).join('');
}
