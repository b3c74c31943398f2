import { PasswordError } from './password-command.ts';

/** Why the last password was not good. */
export type RefusedPassword = { message: string };

/** The password when a sign-in needs it. `refused` tells how the last one given ended. */
export type PasswordSource = (signal: AbortSignal, refused?: RefusedPassword) => Promise<string>;

/**
 * Takes the password from where it comes by itself, and from a person where that fails. One that was refused is not
 * offered again: a program that keeps trying would lock the account. One that a person typed is
 * remembered while this runs, so that it is typed once and not with every token.
 */
export function createPasswordSource(parts: {
	/** From the environment or the command. */
	own?: ((signal: AbortSignal) => Promise<string>) | undefined;
	/** Asks a person. */
	ask?: ((signal: AbortSignal, why: string | undefined) => Promise<string>) | undefined;
}): PasswordSource {
	const { ask } = parts;
	let { own } = parts;
	let typed: string | undefined;
	return async (signal, refused) => {
		if (refused) {
			if (typed === undefined) own = undefined;
			typed = undefined;
		}
		if (typed !== undefined) return typed;
		const given = await own?.(signal).catch(passwordErrorFrom);
		if (typeof given === 'string') return given;
		if (!ask || signal.aborted) {
			const why = refused ? `the password is refused: ${refused.message}` : noPasswordMessage;
			throw given ?? new PasswordError(why);
		}
		try {
			typed = await ask(signal, given?.message ?? refused?.message);
			return typed;
		} catch (error) {
			// If no password was typed, the reason the command failed says more.
			throw given && error instanceof PasswordError ? given : error;
		}
	};
}

function passwordErrorFrom(error: unknown): PasswordError {
	if (error instanceof PasswordError) return error;
	throw error;
}

const noPasswordMessage =
	'no password: type it at a terminal, set CROWSNEST_PASSWORD, or configure a passwordCommand';
