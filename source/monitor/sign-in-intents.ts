import type { StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Operations } from '../operations/operations.ts';
import { isTooNewForKeys, type KeyOrPaste } from '../operations/question.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { isSignInFailure, unreachableCause } from '../store/age.ts';
import { emptyAccount } from '../store/state.ts';

export type PasswordIntents = ReturnType<typeof createPasswordIntents>;

/** Gives the keys of the password dialog to the request that waits for a password. */
export function createPasswordIntents(
	passwordRequest: PasswordRequest | undefined,
	clock: Clock,
	/** Receives the number of typed letters, which is all that is ever shown. */
	onTyping: (letters: number) => void,
	/** Lends the terminal to the work. */
	lend?: (work: () => Promise<void>) => Promise<void>,
) {
	const typedPassword = createTypedPassword(onTyping);
	let visiblePrompt: { prompt: unknown; openedAt: number } | undefined;

	/** Keys pressed before the dialog appeared must not become part of the password. */
	function ignoresKeys(): boolean {
		const now = clock.now();
		if (!visiblePrompt || visiblePrompt.prompt !== passwordRequest?.prompt()) return true;
		// After the clock was set back, the time that the dialog has been open is unknown.
		if (now < visiblePrompt.openedAt) visiblePrompt = { ...visiblePrompt, openedAt: now };
		return isTooNewForKeys(visiblePrompt, now);
	}

	return {
		isOpen: () => passwordRequest?.prompt() !== undefined,
		/** The dialog became visible, for the first time or again. */
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
				void lend?.(passwordRequest.runCommand);
			} else {
				typedPassword.press(key);
			}
		},
		/** Opens the dialog. Returns false where no password can be typed. */
		open(): boolean {
			passwordRequest?.open();
			return passwordRequest !== undefined;
		},
	};
}

/** Holds the typed letters of a password until they are taken. They are never shown. */
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
		/** Returns the letters and forgets them. */
		take(): string {
			const taken = text;
			setText('');
			return taken;
		},
	};
}

/** The first line of a paste, without control characters. */
function firstLine(pasted: string): string {
	const [line = ''] = pasted.split(/[\r\n]/);
	return line.replace(/\p{Cc}/gu, '');
}

type PostponedRequestDeps = {
	screens: Pick<StoreApi<Screen>, 'getState' | 'subscribe'>;
	operations: Pick<Operations, 'state' | 'subscribe'>;
};

/**
 * A sign-in may ask for a password at any moment. Its dialog waits until an open question, filter or menu
 * is closed: otherwise the next letters that a person types would go into the password.
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
	passwords: PasswordIntents;
	/** Leaves the screen to sign in; absent without a welcome. */
	signIn: (() => void) | undefined;
	clock: Clock;
	say: (notice: string) => void;
};

/** Opens the sign-in when a person asks for it. */
export function createSignInIntents(deps: SignInIntentDeps) {
	const { screens, session, passwords, clock, say } = deps;

	function isSignedOut(): boolean {
		const account = session.store.getState().accounts.get(session.account) ?? emptyAccount;
		const cause = unreachableCause(account, clock.now());
		return cause !== undefined && isSignInFailure(cause);
	}

	return {
		isOut: isSignedOut,
		open() {
			if (screens.getState().isWelcoming) {
				screens.setState({ isWelcoming: false });
				deps.signIn?.();
			} else if (!isSignedOut()) {
				say('Already signed in');
			} else if (passwords.open()) {
				// Reads that failed are repeated after the sign-in.
				session.watch.retryAfterSignIn();
			} else {
				say('This account has no password to type: run `crowsnest doctor`');
			}
		},
	};
}
