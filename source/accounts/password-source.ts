import { PasswordError } from './password-command.ts';

/** The reason why the last password was refused. */
export type RefusedPassword = { message: string };

/** Returns the password for a sign-in. `refused` is set if the last password was refused. */
export type PasswordSource = (signal: AbortSignal, refused?: RefusedPassword) => Promise<string>;

/**
 * Takes the password from the environment or the command; if that fails, asks a person. A refused password is
 * never sent again, because repeating it could lock the account. A typed password is remembered while the
 * program runs, so that a person types it only once.
 */
export function createPasswordSource(options: {
	/** Returns the password from the environment or the command. */
	own?: ((signal: AbortSignal) => Promise<string>) | undefined;
	/** Asks a person for the password. */
	ask?: ((signal: AbortSignal, why: string | undefined) => Promise<string>) | undefined;
}): PasswordSource {
	const { ask } = options;
	let { own } = options;
	let typed: string | undefined;
	return async (signal, refused) => {
		if (refused) {
			if (typed === undefined) own = undefined;
			typed = undefined;
		}
		if (typed !== undefined) return typed;
		const found = await own?.(signal).catch(passwordErrorFrom);
		if (typeof found === 'string') return found;
		if (!ask || signal.aborted) {
			const why = refused ? `the password was refused: ${refused.message}` : noPasswordMessage;
			throw found ?? new PasswordError(why);
		}
		try {
			typed = await ask(signal, found?.message ?? refused?.message);
			return typed;
		} catch (error) {
			// If no password was typed, the person needs to know why the command failed.
			throw found && error instanceof PasswordError ? found : error;
		}
	};
}

function passwordErrorFrom(error: unknown): PasswordError {
	if (error instanceof PasswordError) return error;
	throw error;
}

const noPasswordMessage =
	'no password: type it in a terminal, set CROWSNEST_PASSWORD, or configure a passwordCommand';
