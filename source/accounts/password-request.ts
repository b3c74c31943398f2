import { createListeners } from '../fleet/listeners.ts';
import type { PasswordPrompt } from '../fleet/password-prompt.ts';
import { PasswordError } from './password-command.ts';

/** Where a sign-in asks for a password and a dialog gives it. It keeps none. */
export type PasswordRequest = {
	/** Waits for a person while the dialog is open; fails at once while it is closed. */
	ask(signal: AbortSignal, why?: string): Promise<string>;
	/** The same value until something changes; undefined while the dialog is closed. */
	prompt(): PasswordPrompt | undefined;
	/** Fits `useSyncExternalStore`, together with `wanted`. */
	subscribe(listener: () => void): () => void;
	/** Opens the dialog, because a person wants it. */
	open(): void;
	give(password: string): void;
	/** Runs the password command, to which the terminal belongs meanwhile, and gives what it prints. */
	runCommand(): Promise<void>;
	/** Closes the dialog: what needs a password fails at once. */
	cancel(): void;
	/** The password that was given is good: a later sign-in does not open the dialog by itself. */
	accepted(): void;
};

/**
 * `opensItself` says whether the dialog may open because a sign-in asks: over a table that a person
 * works with, it would take keys that were meant for that.
 */
export function createPasswordRequest(
	about: Omit<PasswordPrompt, 'why' | 'hasCommand'>,
	opensItself: () => boolean = () => true,
	command?: () => Promise<string>,
): PasswordRequest {
	const listeners = createListeners();
	let pending: ((password: string | undefined) => void) | undefined;
	let wanted: PasswordPrompt | undefined;
	/** Given before the sign-in asked for it: the next one takes it. */
	let ready: string | undefined;
	let refusal: string | undefined;
	let stage: 'untouched' | 'open' | 'given' | 'closed' = 'untouched';

	function become(next: typeof stage) {
		stage = next;
		wanted =
			next === 'open'
				? {
						...about,
						...(refusal !== undefined && { why: refusal }),
						...(command && { hasCommand: true }),
					}
				: undefined;
		listeners.notify();
	}

	function mayAsk(why: string | undefined): boolean {
		if (stage === 'open') return true;
		// The person who gave it is still there, and hears that it was wrong.
		if (stage === 'given') return why !== undefined;
		return stage === 'untouched' && opensItself();
	}

	function settle(password: string | undefined) {
		const settling = pending;
		pending = undefined;
		settling?.(password);
	}

	function give(password: string) {
		if (stage !== 'open') return;
		refusal = undefined;
		if (pending) settle(password);
		else ready = password;
		become('given');
	}

	return {
		ask(signal, why) {
			if (ready !== undefined && why === undefined) {
				const password = ready;
				ready = undefined;
				return Promise.resolve(password);
			}
			refusal = why;
			return new Promise((resolve, reject) => {
				const refuse = () => reject(new PasswordError('no password was given'));
				if (signal.aborted || pending || !mayAsk(why)) return refuse();
				const abort = () => {
					settle(undefined);
					become('closed');
				};
				signal.addEventListener('abort', abort, { once: true });
				pending = password => {
					signal.removeEventListener('abort', abort);
					if (password === undefined) refuse();
					else resolve(password);
				};
				become('open');
			});
		},
		prompt: () => wanted,
		subscribe: listeners.subscribe,
		open() {
			if (stage !== 'open') become('open');
		},
		give,
		async runCommand() {
			if (stage !== 'open' || !command) return;
			const asked = pending;
			try {
				const password = await command();
				if (pending === asked) give(password);
			} catch (error) {
				if (stage !== 'open' || pending !== asked) return;
				refusal = error instanceof PasswordError ? error.message : String(error);
				become('open');
			}
		},
		cancel() {
			ready = undefined;
			settle(undefined);
			become('closed');
		},
		accepted() {
			if (stage === 'given') become('closed');
		},
	};
}
