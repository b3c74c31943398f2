import { PasswordError } from './password-command.ts';

/** The reason why the last password was refused. */
type PasswordRefusal = { message: string };

/** Returns the password for a sign-in. `refusal` is set if the last password was refused. */
export type PasswordSource = (signal: AbortSignal, refusal?: PasswordRefusal) => Promise<string>;

/**
 * Takes the password from the environment or the command; if that fails, asks a person. A refused password is
 * never sent again, because repeating it could lock the account. A typed password is remembered while the
 * program runs, so that a person types it only once.
 */
export function createPasswordSource(options: {
	/** Returns the password from the environment or the command. */
	configuredPassword?: ((signal: AbortSignal) => Promise<string>) | undefined;
	/** Asks a person for the password. `problem` says why no other password could be used. */
	ask?: ((signal: AbortSignal, problem: string | undefined) => Promise<string>) | undefined;
}): PasswordSource {
	const { ask } = options;
	let { configuredPassword } = options;
	let typedPassword: string | undefined;
	return async (signal, refusal) => {
		if (refusal) {
			if (typedPassword === undefined) configuredPassword = undefined;
			typedPassword = undefined;
		}
		if (typedPassword !== undefined) return typedPassword;
		const passwordOrError = await configuredPassword?.(signal).catch(passwordErrorFrom);
		if (typeof passwordOrError === 'string') return passwordOrError;
		if (!ask || signal.aborted) {
			const problem = refusal ? `the password was refused: ${refusal.message}` : noPasswordMessage;
			throw passwordOrError ?? new PasswordError(problem);
		}
		try {
			typedPassword = await ask(signal, passwordOrError?.message ?? refusal?.message);
			return typedPassword;
		} catch (error) {
			// If no password was typed, the person needs to know why the command failed.
			throw passwordOrError && error instanceof PasswordError ? passwordOrError : error;
		}
	};
}

function passwordErrorFrom(error: unknown): PasswordError {
	if (error instanceof PasswordError) return error;
	throw error;
}

const noPasswordMessage =
	'no password: type it in a terminal, set CROWSNEST_PASSWORD, or configure a passwordCommand';
