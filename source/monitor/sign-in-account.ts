import { join } from 'node:path';
import type { AccountSettings } from '../accounts/account-settings.ts';
import { configFrom, saveProfile } from '../accounts/config-text.ts';
import type { SignInAnswers } from '../accounts/sign-in-fields.ts';
import { createTokenCache } from '../accounts/token-cache.ts';
import type { ParsedArgs } from '../script/command.ts';
import { type Host, pathsOf } from '../session/host.ts';
import { loadPreferences, loadProfile, problemLines, readConfigText } from '../session/settings.ts';
import { accountFromAnswers, tryAccount } from '../session/try-account.ts';
import type { SignInResult } from '../views/table-accounts.ts';

type Refused = Extract<SignInResult, { isSignedIn: false }>;

type SignedIn = { isSignedIn: true; account: AccountSettings; computerCount: number };

/**
 * Tries the answers of the sign-in form. A sign-in with a password is saved as a profile, without the password. A
 * sign-in with a token saves nothing, because only the environment may contain tokens.
 */
export async function signInToAccount(
	host: Host,
	args: Pick<ParsedArgs, 'flag'>,
	answers: SignInAnswers,
	signal: AbortSignal,
): Promise<SignedIn | Refused> {
	const { configPath, tokensPath } = pathsOf(host);
	const configText = readConfigText(configPath) ?? '';
	const { config, problems } = configFrom(configText);
	const { profile: name } = answers;
	if (problems.length > 0) return refusal(problemLines(problems, configPath));
	if (config.profiles?.has(name)) {
		const advice = `Choose another name, or run \`crowsnest login --profile ${name}\`.`;
		return refusal(`There is a profile ${name} already.`, advice, ['profile']);
	}
	const tokenPath = join(tokensPath, `${name}.json`);
	const account = accountFromAnswers(name, answers, tokenPath);
	const trial = await tryAccount(host, account, signal);
	if (!trial.isAccepted) return refusal(trial.message, trial.advice, trial.fields);
	if (signal.aborted) return refusal('The sign-in was stopped.');
	const { computerCount } = trial;
	if (answers.way === 'token') {
		const preferences = loadPreferences(host, args);
		const settings = { ...account, shortName: name, isProduction: false, preferences };
		return { isSignedIn: true, account: settings, computerCount };
	}
	const { url, authUrl, anonKey, email } = answers;
	const values = { url, authUrl, anonKey, email };
	const failure = saveProfile(configPath, configText, name, values);
	if (failure !== undefined)
		return refusal(`The sign-in worked, but the profile is not saved: ${failure}`);
	if (trial.token) createTokenCache(account, () => {}).save(trial.token);
	const saved = loadProfile(host, args, name);
	if ('message' in saved) return refusal(problemLines([saved], configPath));
	return { isSignedIn: true, account: saved, computerCount };
}

const refusal = (message: string, advice = '', fields: Refused['fields'] = []): Refused => ({
	isSignedIn: false,
	fields,
	message,
	advice,
});
