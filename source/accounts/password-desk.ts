import { PasswordError } from './password-command.ts';

/** What a dialog needs to ask for a password. */
export type PasswordWanted = {
	/** Absent where the environment tells all of the account. */
	profile?: string;
	email: string;
	/** Whom it will be told to. */
	host: string;
	/** Why it is asked for again. */
	why?: string;
	/** There is a password command, which a key runs at the terminal. */
	hasCommand?: boolean;
};

/** Where a sign-in asks for a password and a dialog gives it. It keeps none. */
export type PasswordDesk = {
	ask(signal: AbortSignal, why?: string): Promise<string>;
	/** The same value until something changes; undefined when nothing is asked for. */
	wanted(): PasswordWanted | undefined;
	/** Fits `useSyncExternalStore`, together with `wanted`. */
	subscribe(listener: () => void): () => void;
	give(password: string): void;
	/** Runs the password command, whose terminal it has to be meanwhile, and gives what it prints. */
	runCommand(): Promise<void>;
	/** Nobody is asked again until `reopen`: what needs a password fails at once. */
	decline(): void;
	isDeclined(): boolean;
	reopen(): void;
};

export function createPasswordDesk(
	about: Omit<PasswordWanted, 'why' | 'hasCommand'>,
	command?: () => Promise<string>,
): PasswordDesk {
	const listeners = new Set<() => void>();
	let pending:
		| { wanted: PasswordWanted; settle: (password: string | undefined) => void }
		| undefined;
	let isDeclined = false;

	const change = () => {
		for (const listener of listeners) listener();
	};

	function settle(password: string | undefined) {
		const asked = pending;
		pending = undefined;
		asked?.settle(password);
		change();
	}

	return {
		ask: (signal, why) =>
			new Promise((resolve, reject) => {
				const refuse = () => reject(new PasswordError('no password was given'));
				if (isDeclined || signal.aborted || pending) return refuse();
				const abort = () => settle(undefined);
				signal.addEventListener('abort', abort, { once: true });
				pending = {
					wanted: {
						...about,
						...(why !== undefined && { why }),
						...(command && { hasCommand: true }),
					},
					settle(password) {
						signal.removeEventListener('abort', abort);
						if (password === undefined) refuse();
						else resolve(password);
					},
				};
				change();
			}),
		wanted: () => pending?.wanted,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		give: settle,
		async runCommand() {
			const asked = pending;
			if (!asked || !command) return;
			try {
				const password = await command();
				if (pending === asked) settle(password);
			} catch (error) {
				if (pending !== asked) return;
				const why = error instanceof PasswordError ? error.message : String(error);
				pending = { ...asked, wanted: { ...asked.wanted, why } };
				change();
			}
		},
		decline() {
			isDeclined = true;
			settle(undefined);
		},
		isDeclined: () => isDeclined,
		reopen() {
			isDeclined = false;
			change();
		},
	};
}
