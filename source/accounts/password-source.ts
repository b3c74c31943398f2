import { PasswordError } from './password-command.ts';

type PasswordRefusal = { message: string };

type PasswordSource = (signal: AbortSignal, refusal?: PasswordRefusal) => Promise<string>;

type PasswordSourceOptions = {
	configured?:
		| {
				origin?: string | undefined;
				/** What to do when it is refused. */
				advice?: string | undefined;
				read: (signal: AbortSignal) => Promise<string>;
		  }
		| undefined;
	ask?: ((signal: AbortSignal, problem: string | undefined) => Promise<string>) | undefined;
};

/**
 * A refused password is never sent again, because repeating it could lock the account. A typed password is remembered
 * while the program runs, so that a person types it only once.
 */
export function createPasswordSource({ ask, configured }: PasswordSourceOptions): PasswordSource {
	let isConfiguredRefused = false;
	let typed: string | undefined;
	let last: string | undefined;

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
		const { origin, advice } = (typed === undefined && configured) || {};
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
		const problem = own ?? (refusal && refusalError(refusal, origin, advice));
		const hint = origin && refusal ? `. Type the right one, and correct ${origin}` : '';
		try {
			typed = await askFor(signal, problem && `${problem.message}${hint}`, refused);
		} catch (error) {
			throw problem && error instanceof PasswordError ? problem : error;
		}
		last = typed;
		return typed;
	};
}

const refusalError = ({ message }: PasswordRefusal, origin?: string, advice?: string) =>
	origin === undefined
		? new PasswordError(message)
		: new PasswordError(`the password from ${origin} was refused: ${message}`, advice);

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
