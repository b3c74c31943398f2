import { createListeners } from '../foundation/listeners.ts';
import type { PasswordPrompt } from '../foundation/sign-in.ts';
import { PasswordError } from './password-command.ts';

/**
 * Connects a sign-in that needs a password with the dialog in which a person types the password. Nothing here
 * stores the password.
 */
export type PasswordRequest = {
	/** Returns the same object until a value changes; undefined while the dialog is closed. */
	prompt(): PasswordPrompt | undefined;
	subscribe(listener: () => void): () => void;
	/** Opens the dialog and waits for a password. Rejects at once if the dialog may not open. */
	ask(signal: AbortSignal, problem?: string): Promise<string>;
	/** Opens the dialog because a person wants to sign in. */
	open(): void;
	submit(password: string): void;
	/** Runs the password command in the terminal, and passes on the password that it prints. */
	runCommand(): Promise<void>;
	/** Closes the dialog. A sign-in that waits for a password fails. */
	cancel(): void;
	/** Reports that the password was right. From now on, the dialog does not open by itself. */
	reportAccepted(): void;
};

//                  ask, open           submit          reportAccepted
//   untouched ───────────────> open ───────────> given ────────────────> closed
//                              ▲  ▲                │                      ▲  │
//                              │  └── ask: refused ┘                      │  │
//                              ├───────────── cancel, abort ──────────────┘  │
//                              └─────────────────── open ────────────────────┘
type PasswordRequestStage = 'untouched' | 'open' | 'given' | 'closed';

export type PasswordRequestOptions = {
	/**
	 * Whether a sign-in may open the dialog by itself. While a person works in the table, the dialog would intercept keys
	 * that were meant for the table.
	 */
	mayOpenByItself?: () => boolean;
	runPasswordCommand?: (() => Promise<string>) | undefined;
	/** Called when a password was typed for which no sign-in waits yet. */
	onTypedAhead?: () => void;
	now?: () => number;
};

export function createPasswordRequest(
	account: Pick<PasswordPrompt, 'profile' | 'email' | 'host'>,
	{
		mayOpenByItself = () => true,
		runPasswordCommand,
		onTypedAhead,
		now,
	}: PasswordRequestOptions = {},
): PasswordRequest {
	const listeners = createListeners();
	let stage: PasswordRequestStage = 'untouched';
	let prompt: PasswordPrompt | undefined;
	let resolvePending: ((password: string | undefined) => void) | undefined;
	/** A password that was typed before a sign-in asked for one. */
	let typedAhead: string | undefined;
	let problem: string | undefined;
	let refusals: Pick<PasswordPrompt, 'refusedCount' | 'refusedAt'> = {};

	function noteRefusal() {
		const { refusedCount = 0 } = refusals;
		refusals = { refusedCount: refusedCount + 1, ...(now && { refusedAt: now() }) };
	}

	function enterStage(next: PasswordRequestStage) {
		stage = next;
		const withProblem = problem !== undefined && { problem, ...refusals };
		prompt =
			next === 'open'
				? { ...account, ...withProblem, ...(runPasswordCommand && { hasCommand: true }) }
				: undefined;
		listeners.notify();
	}

	function mayOpenDialog(newProblem: string | undefined): boolean {
		if (stage === 'open') return true;
		// The person who typed the refused password is still there and can type another one.
		if (stage === 'given') return newProblem !== undefined;
		return stage === 'untouched' && mayOpenByItself();
	}

	function resolveRequest(password: string | undefined) {
		const resolve = resolvePending;
		resolvePending = undefined;
		resolve?.(password);
	}

	function submit(password: string) {
		if (stage !== 'open') return;
		problem = undefined;
		const isAwaited = resolvePending !== undefined;
		if (isAwaited) resolveRequest(password);
		else typedAhead = password;
		enterStage('given');
		if (!isAwaited) onTypedAhead?.();
	}

	return {
		ask(signal, why) {
			if (typedAhead !== undefined && why === undefined) {
				const password = typedAhead;
				typedAhead = undefined;
				return Promise.resolve(password);
			}
			problem = why;
			if (why !== undefined && stage === 'given') noteRefusal();
			return new Promise((resolve, reject) => {
				const refuse = () => reject(new PasswordError('no password was given'));
				if (signal.aborted || resolvePending || !mayOpenDialog(why)) return refuse();
				const abort = () => {
					resolveRequest(undefined);
					enterStage('closed');
				};
				signal.addEventListener('abort', abort, { once: true });
				resolvePending = password => {
					signal.removeEventListener('abort', abort);
					if (password === undefined) refuse();
					else resolve(password);
				};
				enterStage('open');
			});
		},
		prompt: () => prompt,
		subscribe: listeners.subscribe,
		open() {
			if (stage !== 'open') enterStage('open');
		},
		submit,
		async runCommand() {
			if (stage !== 'open' || !runPasswordCommand) return;
			const waiting = resolvePending;
			try {
				const password = await runPasswordCommand();
				if (resolvePending === waiting) submit(password);
			} catch (error) {
				if (stage !== 'open' || resolvePending !== waiting) return;
				problem = error instanceof PasswordError ? error.message : String(error);
				enterStage('open');
			}
		},
		cancel() {
			typedAhead = undefined;
			resolveRequest(undefined);
			enterStage('closed');
		},
		reportAccepted() {
			refusals = {};
			if (stage === 'given') enterStage('closed');
		},
	};
}
