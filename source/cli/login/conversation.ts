import { join } from 'node:path';
import { configFrom } from '../../accounts/config-text.ts';
import { PasswordError } from '../../accounts/password-command.ts';
import { createTokenCache } from '../../accounts/token-cache.ts';
import { cleanText } from '../../platform/clean.ts';
import { exitCodes, type Given, type Run, UsageError } from '../../shell/command.ts';
import type { Host } from '../../shell/host.ts';
import { configTextAt, pathsOf, problemLines } from '../../shell/load-settings.ts';
import { createPrompt, isAtTerminal, type Prompt } from '../../shell/prompt.ts';
import { askFor, completed, givenAnswers } from './answers.ts';
import type { Answers } from './fields.ts';
import { keepProfile, profileName } from './profile-choice.ts';
import { accountFromAnswers, type GoodTrial, tryAccount } from './try-account.ts';

const mostTries = 3;

/** Asks for what a sign-in needs, tries it, and keeps it as a profile, all but the password. */
export const login: Run = async (host, given) => {
	const { program } = host;
	const isAsking = isAtTerminal(program) && !given.flag('password-stdin');
	const prompt = isAsking ? createPrompt(program) : undefined;
	try {
		return await signIn(host, given, prompt);
	} catch (error) {
		if (!(error instanceof PasswordError)) throw error;
		program.stderr.write(`${cleanText(error.message)}\n`);
		return exitCodes.notSignedIn;
	} finally {
		prompt?.close();
	}
};

async function signIn(host: Host, given: Given, prompt: Prompt | undefined): Promise<number> {
	const { configPath, tokensPath } = pathsOf(host);
	const text = configTextAt(configPath) ?? '';
	const { config, problems } = configFrom(text);
	if (problems.length > 0) throw new UsageError(problemLines(problems, configPath));
	const name = profileName(host, given, config);
	const tokenPath = join(tokensPath, `${name}.json`);
	const say = (line: string) => host.program.stderr.write(`${cleanText(line)}\n`);

	const known = await givenAnswers(host, given);
	const profile = config.profiles?.get(name) ?? {};
	let answers = await completed(host, profile, known, prompt, say);
	for (let tries = 1; ; tries += 1) {
		const account = accountFromAnswers(name, answers, tokenPath);
		const trial = await tryAccount(host, account, answers, prompt?.signal);
		if (prompt?.signal.aborted) return exitCodes.interrupted;
		if (trial.isGood) {
			const trouble = keepProfile(configPath, text, name, answers);
			if (trouble !== undefined) {
				say(`The sign-in worked, but the profile cannot be kept: ${trouble}.`);
				return exitCodes.failed;
			}
			if (trial.token) createTokenCache(account, say).keep(trial.token);
			host.program.stdout.write(welcome(answers, trial, name, configPath));
			return exitCodes.done;
		}
		say(trial.message);
		say(trial.advice);
		if (!prompt || trial.fields.length === 0 || tries === mostTries) return exitCodes.notSignedIn;
		const { password: _, ...before } = answers;
		answers = { ...answers, ...(await askFor(trial.fields, before, prompt, say)) };
	}
}

function welcome({ email }: Answers, { computers }: GoodTrial, name: string, path: string): string {
	const fleet = `${computers} computer${computers === 1 ? '' : 's'}`;
	return (
		`Signed in as ${cleanText(email)}: ${fleet}.\n` +
		`The profile ${name} is kept in ${path}; the password is not.\n`
	);
}
