import { text as allOf } from 'node:stream/consumers';
import { saveTokenProfile } from '../../accounts/save-profile.ts';
import { signInFieldRows } from '../../accounts/sign-in-fields.ts';
import { createTokenCache, storedTokenAt } from '../../accounts/token-cache.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import type { Host } from '../../session/host.ts';
import { accountFromToken, tryAccount } from '../../session/try-account.ts';
import { exitCodes, type ParsedArgs } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import type { Prompt } from '../../shell/prompt.ts';

type TokenField = 'url' | 'token';

type TokenSignIn = {
	/** The name of the profile to save. */
	name: string;
	configPath: string;
	configText: string;
	tokenPath: string;
	/** The base URL that the profile has so far. */
	url: string | undefined;
	prompt: Prompt | undefined;
	notify: (line: string) => void;
};

/**
 * Signs in with a token that a person already has. The token is stored in a private file, and the profile notes that
 * it is stored. Without a terminal, the token is read from the first line of standard input.
 */
export async function signInWithToken(
	host: Host,
	args: ParsedArgs,
	signIn: TokenSignIn,
): Promise<number> {
	const { name, configPath, configText, tokenPath, prompt, notify } = signIn;
	let url = checked('url', args.text('url') ?? variableOf(host, 'url'));
	let token = checked('token', variableOf(host, 'token'));
	if (!prompt) {
		url ??= checked('url', signIn.url);
		token ??= checked('token', (await allOf(host.program.stdin)).split(/\r?\n/)[0]);
		if (url === undefined) throw new UsageError('No terminal to ask on: set --url');
	}
	for (;;) {
		url ??= await ask('url', signIn);
		token ??= await ask('token', signIn);
		const account = accountFromToken(name, { url, token }, tokenPath);
		const trial = await tryAccount(host, account, { url, authUrl: url }, prompt?.signal);
		if (prompt?.signal.aborted) return exitCodes.interrupted;
		if (trial.isAccepted) {
			createTokenCache(account, notify).save({ accessToken: token });
			// Without a stored token, the profile would be useless, so it is not saved. The cache has already said
			// why the token could not be stored.
			if (storedTokenAt(tokenPath, url) !== token) return exitCodes.failed;
			const failure = saveTokenProfile(configPath, configText, name, url);
			if (failure !== undefined) {
				notify(`The sign-in worked, but the profile cannot be saved: ${failure}.`);
				return exitCodes.failed;
			}
			const fleet = `${trial.computerCount} computer${trial.computerCount === 1 ? '' : 's'}`;
			host.program.stdout.write(
				`Signed in with the token: ${fleet}.\n` +
					`Saved the profile ${name} in ${configPath}, and the token in ${tokenPath}, readable only by you.\n`,
			);
			return exitCodes.done;
		}
		notify(trial.message);
		notify(trial.advice);
		if (!prompt) return exitCodes.notSignedIn;
		// The address may be wrong. The question offers it again as the default answer.
		signIn = { ...signIn, url };
		if (trial.fields.includes('url')) url = undefined;
		token = undefined;
	}
}

/** Asks for a field until the answer is valid. Enter alone accepts the earlier base URL. */
async function ask(field: TokenField, { url, prompt, notify }: TokenSignIn): Promise<string> {
	const { label, subject, hint, isSecret: isHidden, check } = signInFieldRows[field];
	const earlier = field === 'url' ? url : undefined;
	const shown = isHidden ? ' (not shown)' : earlier === undefined ? '' : ` [${cleanText(earlier)}]`;
	if (earlier === undefined) notify(`${field === 'token' ? tokenHint : hint}.`);
	for (;;) {
		const typed = (await prompt?.ask(`${label}${shown}: `, { isHidden })) ?? '';
		const { value, problem, note } = check(typed === '' ? (earlier ?? '') : typed);
		if (note !== undefined) notify(`${note}.`);
		if (value !== undefined) return value;
		notify(`${subject} ${problem}.`);
	}
}

const tokenHint = 'A Bearer token of the platform. It is stored in a file that only you can read';

const variableOf = ({ program }: Host, field: TokenField) =>
	program.env[signInFieldRows[field].variable ?? ''] || undefined;

function checked(field: TokenField, text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const { subject, check } = signInFieldRows[field];
	const { value, problem } = check(text);
	if (value === undefined) throw new UsageError(`${subject} ${problem}`);
	return value;
}
