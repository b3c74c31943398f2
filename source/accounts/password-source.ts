import { PasswordError } from './password-command.ts';

type PasswordRefusal = { message: string };

/** `refusal` is set if the last password was refused. */
export type PasswordSource = (signal: AbortSignal, refusal?: PasswordRefusal) => Promise<string>;

type PasswordSourceOptions = {
	/** The password from the environment or the command, and where it comes from, if messages have to say that. */
	configured?:
		| { origin?: string | undefined; read: (signal: AbortSignal) => Promise<string> }
		| undefined;
	/** Asks a person. `problem` says why the configured or the previous password could not be used. */
	ask?: ((signal: AbortSignal, problem: string | undefined) => Promise<string>) | undefined;
};

/**
 * Takes the password that was typed before, then the one from the environment or the command, then asks a person. A refused
 * password is never sent again, because repeating it could lock the account. A typed password is remembered while the
 * program runs, so that a person types it only once.
 */
export function createPasswordSource({ ask, configured }: PasswordSourceOptions): PasswordSource {
	let isConfiguredRefused = false;
	let typed: string | undefined;
	/** The password that was returned last; undefined after a person has declined to type another one. */
	let last: string | undefined;

	/** Returns the configured password, or the error of its command; undefined if there is none to try. */
	const readConfigured = async (signal: AbortSignal) =>
		isConfiguredRefused ? undefined : configured?.read(signal).catch(passwordErrorFrom);

	async function askFor(signal: AbortSignal, problem: string | undefined, refused?: string) {
		if (!ask || signal.aborted) throw noPasswordError();
		let answer = await ask(signal, problem);
		while (answer === refused) answer = await ask(signal, samePasswordText);
		return answer;
	}

	return async (signal, refusal) => {
		const refused = refusal && last;
		const origin = typed === undefined ? configured?.origin : undefined;
		if (refusal) {
			isConfiguredRefused ||= typed === undefined;
			typed = undefined;
		}
		last = typed;
		if (last !== undefined) return last;
		const own = await readConfigured(signal);
		if (typeof own === 'string') {
			last = own;
			return own;
		}
		const problem = own ?? (refusal && refusalError(refusal, origin));
		const hint = origin && refusal ? `. Type the right one, and correct ${origin}` : '';
		try {
			typed = await askFor(signal, problem && `${problem.message}${hint}`, refused);
		} catch (error) {
			// There is no other password, so the error says why the last one was refused or why the command failed.
			throw problem && error instanceof PasswordError ? problem : error;
		}
		last = typed;
		return typed;
	};
}

function refusalError({ message }: PasswordRefusal, origin: string | undefined): PasswordError {
	if (origin === undefined) return new PasswordError(message);
	const advice = `Correct ${origin}, or press l in the monitor to type the password.`;
	return new PasswordError(`the password from ${origin} was refused: ${message}`, advice);
}

const samePasswordText =
	'the same password as before, so it was not sent again; check the e-mail address as well';

function passwordErrorFrom(error: unknown): PasswordError {
	if (error instanceof PasswordError) return error;
	throw error;
}

export const noPasswordError = () =>
	new PasswordError(
		'no password: type it in a terminal, set CROWSNEST_PASSWORD, or configure a passwordCommand',
	);
