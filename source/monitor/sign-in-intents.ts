import type { StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Operations } from '../operations/operations.ts';
import { isDeaf, type KeyOrPaste } from '../operations/question.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { isSignInFailure, unreachableCause } from '../store/age.ts';
import { emptyAccount } from '../store/state.ts';

export type PasswordIntents = ReturnType<typeof createPasswordIntents>;

/** What is typed of a password: kept here, shown nowhere, and forgotten when it is given. */
export function createPasswordIntents(
	desk: PasswordRequest | undefined,
	clock: Clock,
	/** How many letters there are: no more than that is ever shown. */
	onTyping: (letters: number) => void,
	/** Lends the terminal while the work goes on. */
	lend?: (work: () => Promise<void>) => Promise<void>,
) {
	let typed = '';
	let seen: { wanted: unknown; openedAt: number } | undefined;

	const become = (text: string) => {
		typed = text;
		onTyping(Array.from(text).length);
	};

	/** What was meant for something else must not be sent away as a password. */
	function isDeafNow(): boolean {
		const now = clock.now();
		if (!seen || seen.wanted !== desk?.prompt()) return true;
		// A clock that was put back tells nothing of how long the dialog has been open.
		if (now < seen.openedAt) seen = { ...seen, openedAt: now };
		return isDeaf(seen, now);
	}

	return {
		isWanted: () => desk?.prompt() !== undefined,
		/** The dialog can be seen, for the first time or after something had covered it. */
		shown() {
			seen = { wanted: desk?.prompt(), openedAt: clock.now() };
		},
		press(input: KeyOrPaste) {
			if (isDeafNow()) return;
			if ('paste' in input) return become(typed + firstLine(input.paste));
			const { key } = input;
			const letter = key === 'space' ? ' ' : key;
			if (key === 'enter' && typed !== '') {
				const password = typed;
				become('');
				desk?.give(password);
			} else if (key === 'escape') {
				become('');
				desk?.cancel();
			} else if (key === 'backspace') {
				become(Array.from(typed).slice(0, -1).join(''));
			} else if (key === 'ctrl-u') {
				become('');
			} else if (key === 'ctrl-r' && desk?.prompt()?.hasCommand) {
				become('');
				void lend?.(desk.runCommand);
			} else if (Array.from(letter).length === 1) {
				become(typed + letter);
			}
		},
		/** Opens the dialog. False where no password can be typed. */
		open(): boolean {
			desk?.open();
			return desk !== undefined;
		},
	};
}

/** Of what is pasted the first line. A control character is no part of a password that anyone typed. */
function firstLine(pasted: string): string {
	const [line = ''] = pasted.split(/[\r\n]/);
	return line.replace(/\p{Cc}/gu, '');
}

type PostponeDeps = {
	screens: Pick<StoreApi<Screen>, 'getState' | 'subscribe'>;
	operations: Pick<Operations, 'state' | 'subscribe'>;
};

/**
 * A sign-in may ask for a password at any moment. Its dialog waits until a question, a filter or a menu
 * that is already open is closed: otherwise the rest of what a person types would go into the password.
 */
export function postponedWhileBusy(desk: PasswordRequest, { screens, operations }: PostponeDeps) {
	function isOtherOpen(): boolean {
		const { palette, columnMenu, isFiltering } = screens.getState();
		const { question } = operations.state();
		return (
			question !== undefined || palette !== undefined || columnMenu !== undefined || isFiltering
		);
	}

	return {
		...desk,
		prompt: () => (isOtherOpen() ? undefined : desk.prompt()),
		subscribe(listener: () => void) {
			const endings = [
				desk.subscribe(listener),
				screens.subscribe(listener),
				operations.subscribe(listener),
			];
			return () => {
				for (const end of endings) end();
			};
		},
	} satisfies PasswordRequest;
}

type SignInIntentDeps = {
	screens: StoreApi<Screen>;
	session: Pick<AccountSession, 'account' | 'store' | 'watch'>;
	passwords: PasswordIntents;
	/** Leaves the screen for it; absent where nobody is greeted. */
	signIn: (() => void) | undefined;
	clock: Clock;
	say: (notice: string) => void;
};

/** Opens the sign-in, because a person wants it. */
export function createSignInIntents(parts: SignInIntentDeps) {
	const { screens, session, passwords, clock, say } = parts;

	function isOut(): boolean {
		const account = session.store.getState().accounts.get(session.account) ?? emptyAccount;
		const trouble = unreachableCause(account, clock.now());
		return trouble !== undefined && isSignInFailure(trouble);
	}

	return {
		isOut,
		open() {
			if (screens.getState().isWelcoming) {
				screens.setState({ isWelcoming: false });
				parts.signIn?.();
			} else if (!isOut()) {
				say('Already signed in');
			} else if (passwords.open()) {
				// The reads that it is for wait for what is typed.
				session.watch.signedInAgain();
			} else {
				say('This account has no password to type: run `crowsnest doctor`');
			}
		},
	};
}
