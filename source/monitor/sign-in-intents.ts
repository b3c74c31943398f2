import type { StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Operations } from '../operations/operations.ts';
import { isTooNewForKeys, type KeyOrPaste } from '../operations/question.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { isSignInFailure, unreachableCauseOf } from '../store/age.ts';
import { emptyAccount } from '../store/state.ts';

export type PasswordIntents = ReturnType<typeof createPasswordIntents>;

/** Creates the handlers of the keys in the password dialog. */
export function createPasswordIntents(
	passwordRequest: PasswordRequest | undefined,
	clock: Clock,
	/** Called with the number of typed letters. The screen shows only that number. */
	onTyping: (letters: number) => void,
	/** Releases the terminal while the password command asks a person for input. */
	lendTerminal?: (work: () => Promise<void>) => Promise<void>,
) {
	const typedPassword = createTypedPassword(onTyping);
	let visiblePrompt: { prompt: unknown; openedAt: number } | undefined;

	/** Returns true until the dialog has been visible for a moment: earlier keys were not meant for it. */
	function ignoresKeys(): boolean {
		const now = clock.now();
		if (!visiblePrompt || visiblePrompt.prompt !== passwordRequest?.prompt()) return true;
		// If the clock was set back, the dialog counts as visible from now on.
		if (now < visiblePrompt.openedAt) visiblePrompt = { ...visiblePrompt, openedAt: now };
		return isTooNewForKeys(visiblePrompt, now);
	}

	return {
		isOpen: () => passwordRequest?.prompt() !== undefined,
		/** Must be called when the password dialog becomes visible, for the first time or again. */
		onVisible() {
			visiblePrompt = { prompt: passwordRequest?.prompt(), openedAt: clock.now() };
		},
		press(input: KeyOrPaste) {
			if (ignoresKeys()) return;
			if ('paste' in input) return typedPassword.add(firstLine(input.paste));
			const { key } = input;
			if (key === 'enter' && !typedPassword.isEmpty()) {
				passwordRequest?.submit(typedPassword.take());
			} else if (key === 'escape') {
				typedPassword.take();
				passwordRequest?.cancel();
			} else if (key === 'ctrl-r' && passwordRequest?.prompt()?.hasCommand) {
				typedPassword.take();
				void lendTerminal?.(passwordRequest.runCommand);
			} else {
				typedPassword.press(key);
			}
		},
		/** Opens the password dialog. Returns false for an account without a password. */
		open(): boolean {
			passwordRequest?.open();
			return passwordRequest !== undefined;
		},
	};
}

/** Creates the text field for a password. It reports only the number of letters. */
function createTypedPassword(onTyping: (letters: number) => void) {
	let text = '';

	function setText(nextText: string) {
		text = nextText;
		onTyping(Array.from(text).length);
	}

	return {
		isEmpty: () => text === '',
		add: (addedText: string) => setText(text + addedText),
		press(key: string) {
			const letter = key === 'space' ? ' ' : key;
			if (key === 'backspace') setText(Array.from(text).slice(0, -1).join(''));
			else if (key === 'ctrl-u') setText('');
			else if (Array.from(letter).length === 1) setText(text + letter);
		},
		/** Returns the typed password and empties the field. */
		take(): string {
			const taken = text;
			setText('');
			return taken;
		},
	};
}

/** Returns the first line of a pasted text without control characters. */
function firstLine(pasted: string): string {
	const [line = ''] = pasted.split(/[\r\n]/);
	return line.replace(/\p{Cc}/gu, '');
}

type PostponedRequestDeps = {
	screens: Pick<StoreApi<Screen>, 'getState' | 'subscribe'>;
	operations: Pick<Operations, 'state' | 'subscribe'>;
};

/**
 * Returns the password request, postponed until an open question, filter or menu is closed. A sign-in may ask
 * for a password at any moment, and letters that a person types elsewhere must not go into the password.
 */
export function postponedWhileBusy(
	passwordRequest: PasswordRequest,
	{ screens, operations }: PostponedRequestDeps,
) {
	function isAnotherDialogOpen(): boolean {
		const { palette, columnMenu, isFiltering } = screens.getState();
		const { question } = operations.state();
		return (
			question !== undefined || palette !== undefined || columnMenu !== undefined || isFiltering
		);
	}

	return {
		...passwordRequest,
		prompt: () => (isAnotherDialogOpen() ? undefined : passwordRequest.prompt()),
		subscribe(listener: () => void) {
			const unsubscribers = [
				passwordRequest.subscribe(listener),
				screens.subscribe(listener),
				operations.subscribe(listener),
			];
			return () => {
				for (const unsubscribe of unsubscribers) unsubscribe();
			};
		},
	} satisfies PasswordRequest;
}

type SignInIntentDeps = {
	screens: StoreApi<Screen>;
	session: Pick<AccountSession, 'account' | 'store' | 'watch'>;
	passwordIntents: PasswordIntents;
	/**
	 * Leaves the monitor for the sign-in that the welcome screen offers; undefined if no welcome screen is shown.
	 */
	leaveToSignIn: (() => void) | undefined;
	clock: Clock;
	say: (notice: string) => void;
};

/** Creates the handler of the key that opens the sign-in. */
export function createSignInIntents(deps: SignInIntentDeps) {
	const { screens, session, passwordIntents, clock, say } = deps;

	function isSignedOut(): boolean {
		const account = session.store.getState().accounts.get(session.account) ?? emptyAccount;
		const cause = unreachableCauseOf(account, clock.now());
		return cause !== undefined && isSignInFailure(cause);
	}

	return {
		isOut: isSignedOut,
		open() {
			if (screens.getState().isWelcoming) {
				screens.setState({ isWelcoming: false });
				deps.leaveToSignIn?.();
			} else if (!isSignedOut()) {
				say('Already signed in');
			} else if (passwordIntents.open()) {
				// The watch repeats the failed reads after the sign-in.
				session.watch.retryAfterSignIn();
			} else {
				say('This account has no password to type: run `crowsnest doctor`');
			}
		},
	};
}
