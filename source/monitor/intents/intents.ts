import { type GlobalId, splitGlobalId } from '../../fleet/computers/global-id.ts';
import { isVersionNotRead } from '../../fleet/computers/not-read.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Intent } from '../../keys/binding.ts';
import { needsPlatform, replayRefusal } from '../../keys/replay-bindings.ts';
import { shownKey } from '../../keys/shown-keys.ts';
import { withCursorAttached } from '../../screen/cursor.ts';
import { readingTimeMs } from '../../screen/dialog-entry.ts';
import { hasOpenPart } from '../../screen/going-back.ts';
import { chosenIds } from '../../screen/marks.ts';
import { applyMove } from '../../screen/move.ts';
import { messageOf } from '../../screen/notice.ts';
import { cursorIndex, type Screen } from '../../screen/screen.ts';
import { viewRows } from '../../screen/view-table.ts';
import { createJointAccountSelector } from '../../store/joint-account.ts';
import { createOpenedAccountsSelector } from '../../store/opened-accounts.ts';
import type { VisibleRows } from '../../views/fleet/rows.ts';
import { refreshNotice } from '../../views/phrases/reads.ts';
import {
	createPaymentIntents,
	createSignInIntents,
	createSignOutIntents,
	createTableAccountIntents,
} from './account-intents.ts';
import { createCommandEnding } from './command-intents.ts';
import { createDialogIntents } from './dialog-intents.ts';
import { createHelpIntents } from './help-intents.ts';
import type {
	HandlerDeps,
	IntentDeps,
	IntentHandlers,
	IntentOf,
	PerformIntent,
} from './intent-handlers.ts';
import { rememberLine } from './line-intents.ts';
import { unboundKeyRefusal } from './notices.ts';
import { paletteResultsFor } from './open-palette.ts';
import { createOperationIntents } from './operation-intents.ts';
import { createPaletteIntents } from './palette-intents.ts';
import { createPortIntents } from './port-intents.ts';
import { createScreenIntents } from './screen-intents.ts';
import { createSignInFormIntents } from './sign-in-form-intents.ts';

function messageFrom(said: NonNullable<Parameters<HandlerDeps['say']>[0]>) {
	if (typeof said === 'string') return { text: said };
	return messageOf(said);
}

/** Creates the function that performs the intent of a key. */
export function createIntents(deps: IntentDeps): PerformIntent {
	const { screenStore, sessions, player, clock } = deps;
	const { store, operations } = sessions;
	const accountsOf = createOpenedAccountsSelector();
	const jointOf = createJointAccountSelector();
	const say: HandlerDeps['say'] = (said, outcomeOf) => {
		const message = said === undefined ? undefined : messageFrom(said);
		screenStore.setState({ notice: message && { ...message, shownAt: clock.now(), outcomeOf } });
	};
	const accountsNow = () => accountsOf(store.getState().accounts, sessions.profiles());
	const jointNow = () => jointOf(accountsNow());
	let keyCount = 0;
	let shownSince: number | undefined;
	const isTypedAhead = () =>
		!deps.terminal.isKeyAlone() ||
		shownSince === undefined ||
		Math.abs(clock.now() - shownSince) < readingTimeMs;
	const handlers = createHandlers(
		{ ...deps, operations, accountsNow, jointNow, computerOf, isTypedAhead, say },
		perform,
	);
	noteShownFrame();
	// Keys may have waited in the terminal until the program took it again.
	deps.terminal.onResume(noteShownFrame);

	function noteShownFrame() {
		keyCount += 1;
		const key = keyCount;
		shownSince = undefined;
		deps.whenFrameShown(() => {
			if (key === keyCount) shownSince = clock.now();
		});
	}

	function computerOf(globalId: GlobalId | undefined) {
		const { account, id } = globalId === undefined ? {} : splitGlobalId(globalId);
		return store
			.getState()
			.accounts.get(account ?? '')
			?.computers.get(id ?? '');
	}

	function handle<T extends Intent['type']>(
		type: T,
		intent: IntentOf<T>,
		visibleRows: VisibleRows,
	) {
		handlers[type](intent, screenStore.getState(), visibleRows);
	}

	function perform(intent: Intent, visibleRows: VisibleRows): void {
		operations.restartIdleTime();
		if (screenStore.getState().notice !== undefined) say(undefined);
		const isBack = intent.type === 'move' && intent.move.type === 'back';
		if (!isBack && screenStore.getState().isWelcomeOpen)
			screenStore.setState({ isWelcomeOpen: false });
		if (player && needsPlatform(intent)) say(replayRefusal);
		else handle(intent.type, intent, visibleRows);
		noteShownFrame();
	}

	return perform;
}

/** Creates the table of intent handlers. */
function createHandlers(deps: HandlerDeps, perform: PerformIntent): IntentHandlers {
	const { screenStore, sessions, operations, bindings, player, terminal, clock, say } = deps;
	const operationIntents = createOperationIntents(deps);
	const signInForm = createSignInFormIntents(deps);
	const signInIntents = createSignInIntents(deps, signInForm);
	const signOutIntents = createSignOutIntents(deps);
	const paymentIntents = createPaymentIntents(deps);
	const tableIntents = createTableAccountIntents(deps);
	const endShownCommands = createCommandEnding(deps);
	const dialogIntents = createDialogIntents({
		...deps,
		signInForm,
		onAnswered: operationIntents.report,
		onConfirmed({ about, account, openingKey }) {
			if (about === 'leave') operationIntents.quit();
			else if (about === 'unlock') {
				operations.unlock();
				say(unlockedText(openingKey, bindings()));
			} else if (about === 'removeAccount') tableIntents.remove(account?.name ?? '');
			else if (about === 'signOut') signOutIntents.signOut(account);
			else paymentIntents.onConfirmed(about);
		},
	});

	return {
		...createScreenIntents(deps, { operationIntents, signInIntents, dialogIntents }),
		...createPaletteIntents(deps, dialogIntents),
		...createHelpIntents(deps, perform),
		...createPortIntents(deps),
		...dialogIntents,
		ask(intent, screen, visibleRows) {
			// An operation can move its computer to another row. The cursor stays on the computer.
			screenStore.setState(withCursorAttached(screen, visibleRows), true);
			const exists = (id: GlobalId) => deps.computerOf(id) !== undefined;
			const { targets = chosenIds(screen, visibleRows.ids, exists) } = intent;
			const ids = targets === 'behind' ? outdatedIds(visibleRows) : targets.filter(exists);
			if (ids.length === 0 && targets === 'behind') say(nothingBehindText(visibleRows));
			else if (targets.length === 0 && intent.targets) say(noComputerHereText);
			else if (ids.length === 0 && intent.targets) say('The computer no longer exists');
			else operationIntents.ask(intent, ids, visibleRows);
		},
		/** Performs the intent of the chosen line in the command palette. */
		choose({ key }, screen, visibleRows) {
			const { items, index } = paletteResultsFor(deps, screen, visibleRows);
			const item = items[index];
			// If nothing was found, the palette keeps the typed line, so that a person can correct it.
			if (!item) return;
			if (item.intent.type === 'savedFilter' && item.intent.name === '' && !item.isRefused)
				return perform({ type: 'complete', direction: 1 }, visibleRows);
			rememberLine(deps, deps.openDialog());
			screenStore.setState({ palette: undefined });
			const { intent, view } = item;
			if (view && view !== screen.view) {
				screenStore.setState(
					applyMove(screenStore.getState(), { type: 'view', view }, visibleRows),
					true,
				);
			}
			perform('key' in intent ? { ...intent, key } : intent, visibleRows);
		},
		readNow(_, { view }) {
			const { ownRead } = viewRows[view];
			for (const { watch } of sessions.all()) {
				watch.readNow();
				if (ownRead) watch.readNow([{ name: ownRead }]);
			}
			const shownAt = clock.now();
			const text = refreshNotice(deps.jointNow(), shownAt);
			screenStore.setState({ notice: { text, shownAt, isAboutRead: true } });
		},
		signIn: () => signInIntents.open(),
		signOut: ({ key, account }, ...shown) =>
			signOutIntents.ask(key, account ?? accountUnderCursor(...shown)),
		formField: ({ direction }) => signInForm.move(direction),
		account: ({ profile, key }) => tableIntents.toggle(profile, key),
		pay: ({ key }, ...shown) => paymentIntents.ask('pay', key, accountUnderCursor(...shown)),
		startBilling: ({ key }, ...shown) =>
			paymentIntents.ask('billing', key, accountUnderCursor(...shown)),
		retry: ({ key }, screen, visibleRows) => operationIntents.retry(key, screen, visibleRows),
		cancelUnsent: (_, screen, visibleRows) => operationIntents.cancelUnsent(screen, visibleRows),
		lock: ({ key }) => operationIntents.lock(key),
		replay: ({ action }) => say(player?.perform(action)),
		redraw: () => terminal.redraw(),
		suspend: () => terminal.suspend(),
		closeOrQuit({ key }, screen, visibleRows) {
			// On a terminal that is too small to show an open view or dialog, this key quits.
			const isShown = visibleRows.maxRows > 0 && deps.openDialog() === undefined;
			if (isShown && hasOpenPart(screen))
				screenStore.setState(applyMove(screen, { type: 'close' }, visibleRows), true);
			else operationIntents.askToQuit(key);
		},
		quit: ({ key }) => operationIntents.askToQuit(key),
		endCommands({ key }) {
			if (!endShownCommands()) operationIntents.askToQuit(key);
		},
		refusedPaste: () => say('Nothing was pasted: a paste needs a text field, such as / or :'),
		unboundKey: ({ key, context }) =>
			say(unboundKeyRefusal(bindings(), key, context, deps.accountsNow().length > 1)),
	};
}

/** Says that the key which met the lock has to be pressed again, because unlocking alone does not repeat it. */
function unlockedText(openingKey: string, bindings: ReturnType<HandlerDeps['bindings']>): string {
	const isLockKey = bindings.some(
		({ action, keys }) => action === 'lock' && keys.includes(openingKey),
	);
	return isLockKey ? 'Unlocked' : `Unlocked: press ${shownKey(openingKey)} again`;
}

const noComputerHereText = 'No computer is under the cursor. Type a name after the operation';

function nothingBehindText({ allRows }: VisibleRows): string {
	const notRead = allRows.filter(({ computer }) => isVersionNotRead(computer)).length;
	return notRead === 0
		? 'No computer is behind the latest version'
		: `No known version is behind the latest; versions of ${countText(notRead)} not read yet`;
}

const outdatedIds = ({ allRows }: VisibleRows) =>
	allRows.filter(({ isOutdated }) => isOutdated).map(({ id }) => id);

const accountUnderCursor = (screen: Screen, { rows, ids }: VisibleRows) =>
	rows[cursorIndex(screen, ids)]?.account;
