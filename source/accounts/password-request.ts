import { createListeners } from '../foundation/listeners.ts';
import { PasswordError } from './password-source.ts';

export type PasswordPrompt = {
	/** Absent if the account comes from the environment. */
	profile?: string;
	email: string;
	host: string;
	problem?: string;
	refusedCount?: number;
	refusedAt?: number;
	hasCommand?: boolean;
};

export type PasswordRequest = ReturnType<typeof createPasswordRequest>;

export type PasswordRequestOptions = {
	/** A dialog that opens by itself would take keys that were meant for the table. */
	mayOpenByItself?: () => boolean;
	runPasswordCommand?: () => Promise<string>;
	onTypedAhead?: () => void;
	now?: () => number;
};

export function createPasswordRequest(
	account: Pick<PasswordPrompt, 'profile' | 'email' | 'host'>,
	options: PasswordRequestOptions = {},
) {
	const { mayOpenByItself = () => true, runPasswordCommand, onTypedAhead, now } = options;
	const listeners = createListeners();
	let prompt: PasswordPrompt | undefined;
	let opensFor: 'any' | 'refusal' | 'none' = 'any';
	let answer: ((password: string | undefined) => void) | undefined;
	let typedAhead: string | undefined;
	let problem: string | undefined;
	let refusals: Pick<PasswordPrompt, 'refusedCount' | 'refusedAt'> = {};

	function show() {
		const explained = problem === undefined ? {} : { problem, ...refusals };
		prompt = { ...account, ...explained, ...(runPasswordCommand && { hasCommand: true }) };
		listeners.notify();
	}

	function close(next: 'refusal' | 'none') {
		prompt = undefined;
		opensFor = next;
		listeners.notify();
	}

	function resolveWith(password: string | undefined) {
		const resolve = answer;
		answer = undefined;
		resolve?.(password);
	}

	function submit(password: string) {
		if (!prompt) return;
		problem = undefined;
		const isAwaited = answer !== undefined;
		if (isAwaited) resolveWith(password);
		else typedAhead = password;
		close('refusal');
		if (!isAwaited) onTypedAhead?.();
	}

	return {
		/** Rejects at once if the dialog may not open. */
		ask(signal: AbortSignal, why?: string): Promise<string> {
			if (typedAhead !== undefined && why === undefined) {
				const password = typedAhead;
				typedAhead = undefined;
				return Promise.resolve(password);
			}
			problem = why;
			const isRefusal = why !== undefined && !prompt && opensFor === 'refusal';
			if (isRefusal) {
				const refusedCount = (refusals.refusedCount ?? 0) + 1;
				refusals = now ? { refusedCount, refusedAt: now() } : { refusedCount };
			}
			const mayOpen = prompt || isRefusal || (opensFor === 'any' && mayOpenByItself());
			return new Promise((resolve, reject) => {
				const refuse = () => reject(new PasswordError('no password was given'));
				if (signal.aborted || answer || !mayOpen) return refuse();
				const abort = () => {
					resolveWith(undefined);
					close('none');
				};
				signal.addEventListener('abort', abort, { once: true });
				answer = password => {
					signal.removeEventListener('abort', abort);
					if (password === undefined) refuse();
					else resolve(password);
				};
				show();
			});
		},
		prompt: () => prompt,
		subscribe: listeners.subscribe,
		open() {
			if (!prompt) show();
		},
		submit,
		async runCommand() {
			if (!prompt || !runPasswordCommand) return;
			const waiting = answer;
			try {
				const password = await runPasswordCommand();
				if (answer === waiting) submit(password);
			} catch (error) {
				if (!prompt || answer !== waiting) return;
				problem = error instanceof PasswordError ? error.message : String(error);
				show();
			}
		},
		cancel() {
			typedAhead = undefined;
			resolveWith(undefined);
			close('none');
		},
		reportAccepted() {
			refusals = {};
			if (!prompt && opensFor === 'refusal') close('none');
		},
	};
}
