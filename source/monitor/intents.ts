import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { Binding, Intent } from '../keys/binding.ts';
import { chosenItem } from '../keys/palette.ts';
import { needsPlatform, replayRefusal } from '../keys/replay-bindings.ts';
import { isDeaf, yesKeyOf } from '../operations/question.ts';
import { applyMove } from '../screen/move.ts';
import { chosenIds, type Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { emptyAccount } from '../store/state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { refreshNotice } from '../wording/freshness-text.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';
import type { IntentHandlers, IntentOf } from './intent-handlers.ts';
import { createLookIntents } from './look-intents.ts';
import { createOperationIntents } from './operation-intents.ts';
import { createPaymentIntents } from './payment-intents.ts';
import { copiedText, createPortIntents } from './port-intents.ts';
import type { Player } from './replay-player.ts';
import { createSignInIntents, type PasswordIntents } from './sign-in-intents.ts';

type IntentDeps = {
	screens: StoreApi<Screen>;
	/** The palette lists these. */
	bindings: readonly Binding[];
	session: AccountSession;
	passwords: PasswordIntents;
	/** The names of the table's columns until others are chosen. */
	defaultColumns: readonly string[] | undefined;
	/** Plays a recording; absent in a live monitor. */
	player?: Player | undefined;
	/** Whether the open dialog has been shown; until then it accepts no key. */
	isDialogVisible?: () => boolean;
	/** Leaves the screen to sign in; absent without a welcome. */
	signIn?: (() => void) | undefined;
	terminal: Pick<Terminal, 'copy' | 'redraw' | 'suspend' | 'end'>;
	clock: Clock;
};

type Perform = (intent: Intent, shown: VisibleRows) => void;

/** Performs the intents of keys. */
export function createIntents(deps: IntentDeps): Perform {
	const { screens, session, player, clock } = deps;
	const say = (text: string | undefined) =>
		screens.setState({ notice: text === undefined ? undefined : { text, at: clock.now() } });
	const handlers = createHandlers(deps, say, perform);

	function handle<T extends Intent['type']>(type: T, intent: IntentOf<T>, shown: VisibleRows) {
		handlers[type](intent, screens.getState(), shown);
	}

	function perform(intent: Intent, shown: VisibleRows): void {
		session.operations.touch();
		if (screens.getState().notice !== undefined) say(undefined);
		if (player && needsPlatform(intent)) say(replayRefusal);
		else handle(intent.type, intent, shown);
	}

	return perform;
}

/** One function, because it is one table with a line or two for each intent. */
function createHandlers(
	deps: IntentDeps,
	say: (text: string | undefined) => void,
	perform: Perform,
): IntentHandlers {
	const { screens, session, passwords, signIn, player, terminal, clock } = deps;
	const { isDialogVisible = () => true } = deps;
	const { store, watch, platform, operations, account } = session;
	const accountNow = () => store.getState().accounts.get(account) ?? emptyAccount;
	const shared = { screens, session, accountNow, terminal, clock, say };
	const operationIntents = createOperationIntents({ ...shared, operations, platform });
	const signIns = createSignInIntents({ ...shared, passwords, signIn });
	const payments = createPaymentIntents(shared);
	const confirmed = createConfirm(deps, say, answer => {
		if (answer === 'leave') operationIntents.quit();
		else if (answer === 'unlock') operations.unlock();
		else payments.confirmed(answer);
	});

	return {
		...createLookIntents({ ...deps, watch, accountNow, operationIntents, signIns }),
		...createPortIntents(shared),
		ask(intent, screen, shown) {
			const isThere = (id: string) => accountNow().computers.has(id);
			const ids = intent.targets ? behindIds(shown) : chosenIds(screen, shown.ids, isThere);
			if (ids.length === 0 && intent.targets) say('No computer is behind the latest version');
			else operationIntents.ask(intent, ids);
		},
		answer({ input }) {
			if (!isDialogVisible()) return;
			if (passwords.isOpen()) passwords.press(input);
			else operationIntents.press(input);
		},
		confirm({ key }, screen) {
			if (isDialogVisible()) confirmed(screen, key);
		},
		/** The palette does what the key of the chosen line would do. */
		choose(_, { palette }, shown) {
			const item = chosenItem(deps.bindings, palette);
			screens.setState({ palette: undefined });
			if (!item) return;
			const { intent, view } = item;
			if (view) {
				screens.setState(applyMove(screens.getState(), { type: 'view', view }, shown), true);
			}
			perform('key' in intent ? { ...intent, key: 'enter' } : intent, shown);
		},
		readNow(_, { view }) {
			watch.readNow();
			if (view === 'models') watch.readNow({ name: 'models' });
			say(refreshNotice(accountNow(), clock.now()));
		},
		signIn: () => signIns.open(),
		pay: ({ key }) => payments.ask('pay', key),
		startBilling: ({ key }) => payments.ask('billing', key),
		retry: ({ key }, screen, shown) => operationIntents.retry(key, screen, shown),
		lock: ({ key }) => operationIntents.lock(key),
		replay: ({ act }) => say(player?.act(act)),
		redraw: () => terminal.redraw(),
		suspend: () => terminal.suspend(),
		quit: ({ key }) => operationIntents.leave(key),
	};
}

type Confirmed = NonNullable<Screen['confirmation']>['about'];

/** A question of the program itself, which one key answers. */
function createConfirm(
	{ screens, terminal, clock }: Pick<IntentDeps, 'screens' | 'terminal' | 'clock'>,
	say: (text: string) => void,
	onYes: (about: Confirmed) => void,
) {
	return ({ confirmation }: Screen, key: string) => {
		if (!confirmation || isDeaf(confirmation, clock.now())) return;
		const { about, command } = confirmation;
		if (key === 'c' && command !== undefined) return say(copiedText(terminal, command));
		const isYes = key === yesKeyOf(confirmation);
		if (!isYes && key !== 'n' && key !== 'escape') return;
		// The quit dialog stays open until the program has ended: closing it would release what it holds.
		if (!isYes || about !== 'leave') screens.setState({ confirmation: undefined });
		if (isYes) onYes(about);
		else say('Question closed.');
	};
}

const behindIds = ({ allRows: all }: VisibleRows) =>
	all.filter(({ isBehind }) => isBehind).map(({ computer }) => computer.id);
