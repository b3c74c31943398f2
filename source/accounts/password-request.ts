import { createListeners } from '../fleet/listeners.ts';
import type { PasswordPrompt, PasswordPromptSource } from '../fleet/password-prompt.ts';
import { PasswordError } from './password-command.ts';

/**
 * Connects a sign-in that needs a password with the dialog in which a person types it. The password is not
 * stored here.
 */
export type PasswordRequest = PasswordPromptSource & {
	/** Opens the dialog and waits for a password. Rejects at once if the dialog may not open. */
	ask(signal: AbortSignal, why?: string): Promise<string>;
	/** Opens the dialog because a person wants to sign in. */
	open(): void;
	give(password: string): void;
	/** Runs the password command in the terminal, and passes on the password that it prints. */
	runCommand(): Promise<void>;
	/** Closes the dialog. A sign-in that waits for a password fails. */
	cancel(): void;
	/** Reports that the password was right. From now on, the dialog does not open by itself. */
	accepted(): void;
};

//                  ask, open            give               accepted
//   untouched ───────────────> open ───────────> given ────────────────> closed
//                              ▲  ▲                │                      ▲  │
//                              │  └── ask: refused ┘                      │  │
//                              ├───────────── cancel, abort ──────────────┘  │
//                              └─────────────────── open ────────────────────┘
type Stage = 'untouched' | 'open' | 'given' | 'closed';

/**
 * `opensItself` says whether a sign-in may open the dialog by itself. While a person works in the table, the
 * dialog would intercept keys that were meant for the table.
 *
 * One function, because every method reads or changes the stage.
 */
export function createPasswordRequest(
	about: Omit<PasswordPrompt, 'why' | 'hasCommand'>,
	opensItself: () => boolean = () => true,
	command?: () => Promise<string>,
): PasswordRequest {
	const listeners = createListeners();
	let stage: Stage = 'untouched';
	let prompt: PasswordPrompt | undefined;
	let resolvePending: ((password: string | undefined) => void) | undefined;
	/** A password that was typed before a sign-in asked for one. */
	let typedAhead: string | undefined;
	let refusal: string | undefined;

	function become(next: Stage) {
		stage = next;
		const why = refusal !== undefined && { why: refusal };
		prompt =
			next === 'open' ? { ...about, ...why, ...(command && { hasCommand: true }) } : undefined;
		listeners.notify();
	}

	function mayAsk(why: string | undefined): boolean {
		if (stage === 'open') return true;
		// The person who typed the refused password is still there and can type another one.
		if (stage === 'given') return why !== undefined;
		return stage === 'untouched' && opensItself();
	}

	function settle(password: string | undefined) {
		const resolve = resolvePending;
		resolvePending = undefined;
		resolve?.(password);
	}

	function give(password: string) {
		if (stage !== 'open') return;
		refusal = undefined;
		if (resolvePending) settle(password);
		else typedAhead = password;
		become('given');
	}

	return {
		ask(signal, why) {
			if (typedAhead !== undefined && why === undefined) {
				const password = typedAhead;
				typedAhead = undefined;
				return Promise.resolve(password);
			}
			refusal = why;
			return new Promise((resolve, reject) => {
				const refuse = () => reject(new PasswordError('no password was given'));
				if (signal.aborted || resolvePending || !mayAsk(why)) return refuse();
				const abort = () => {
					settle(undefined);
					become('closed');
				};
				signal.addEventListener('abort', abort, { once: true });
				resolvePending = password => {
					signal.removeEventListener('abort', abort);
					if (password === undefined) refuse();
					else resolve(password);
				};
				become('open');
			});
		},
		prompt: () => prompt,
		subscribe: listeners.subscribe,
		open() {
			if (stage !== 'open') become('open');
		},
		give,
		async runCommand() {
			if (stage !== 'open' || !command) return;
			const waiting = resolvePending;
			try {
				const password = await command();
				if (resolvePending === waiting) give(password);
			} catch (error) {
				if (stage !== 'open' || resolvePending !== waiting) return;
				refusal = error instanceof PasswordError ? error.message : String(error);
				become('open');
			}
		},
		cancel() {
			typedAhead = undefined;
			settle(undefined);
			become('closed');
		},
		accepted() {
			if (stage === 'given') become('closed');
		},
	};
}
