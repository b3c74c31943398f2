import { PasswordError } from './password-command.ts';

/** Why the last password was refused. */
export type RefusedPassword = { message: string };

/** Returns the password when a sign-in needs it. `refused` is set after the last one was refused. */
export type PasswordSource = (signal: AbortSignal, refused?: RefusedPassword) => Promise<string>;

/**
 * Takes the password from the environment or the command, and asks a person if that fails. A refused password
 * is never offered again, because repeating it could lock the account. A typed password is remembered while
 * the program runs, so that it is typed once and not for every token.
 */
export function createPasswordSource(options: {
	/** Gets the password from the environment or the command. */
	own?: ((signal: AbortSignal) => Promise<string>) | undefined;
	/** Asks a person. */
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
			// If no password was typed either, the failure of the command is the more useful message.
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
