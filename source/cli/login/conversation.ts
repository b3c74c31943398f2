import { join } from 'node:path';
import { withDefaultProfile } from '../../accounts/config-edit.ts';
import { programSettings } from '../../accounts/config-table.ts';
import { type Config, configFrom, profileNameRule } from '../../accounts/config-text.ts';
import { PasswordError } from '../../accounts/password-command.ts';
import { saveProfile, writeConfig } from '../../accounts/save-profile.ts';
import { tomlKeyText } from '../../accounts/setting-reader.ts';
import { isProfileName, splitNames } from '../../accounts/setting-values.ts';
import { type LoginAnswers, loginFields } from '../../accounts/sign-in-fields.ts';
import { createTokenCache } from '../../accounts/token-cache.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { type Host, Interrupted, pathsOf } from '../../session/host.ts';
import {
	type AcceptedSignIn,
	accountFromAnswers,
	type LoginRefusal,
	tryAccount,
} from '../../session/try-account.ts';
import { exitCodes, type ParsedArgs } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import { problemLines, readConfigText } from '../../shell/load-settings.ts';
import { createPrompt, isAtTerminal, type Prompt } from '../../shell/prompt.ts';
import { answersFromOptions, askForFields, backAnswer, completeAnswers } from './answers.ts';
import { signInWithToken } from './token-sign-in.ts';

/**
 * Asks for the addresses and the credentials, signs in with them, and saves everything except the password
 * as a profile. After a refusal, asks again for the refused answers, until the sign-in works or a person presses Ctrl-C.
 */
export async function logIn(host: Host, args: ParsedArgs, isPlain = false): Promise<number> {
	const { program } = host;
	const isAsking = isAtTerminal(program) && !args.flag('password-stdin');
	const prompt = isAsking ? createPrompt(program, isPlain) : undefined;
	try {
		return await signIn(host, args, prompt);
	} catch (error) {
		if (!(error instanceof PasswordError)) throw error;
		program.stderr.write(`${cleanText(error.message)}\n`);
		return exitCodes.notSignedIn;
	} finally {
		prompt?.close();
	}
}

async function signIn(host: Host, args: ParsedArgs, prompt: Prompt | undefined): Promise<number> {
	const { configPath, tokensPath } = pathsOf(host);
	const configText = readConfigText(configPath) ?? '';
	const { config, problems } = configFrom(configText);
	if (problems.length > 0) throw new UsageError(problemLines(problems, configPath));
	const name = profileNameFrom(host, args, config);
	const tokenPath = join(tokensPath, `${name}.json`);
	const notify = (line: string) => host.program.stderr.write(`${cleanText(line)}\n`);

	const profile = config.profiles?.get(name) ?? {};
	if (args.flag('token')) {
		const { url } = profile;
		const places = { name, configPath, configText, tokenPath, url, prompt, notify };
		const code = await signInWithToken(host, args, places);
		if (prompt && code === exitCodes.done)
			await offerAsDefault(configPath, name, config, prompt, notify);
		return code;
	}
	const typedAnswers = await answersFromOptions(host, args);
	if (prompt) host.program.stderr.write(`${backAnswer} goes back to the previous question.\n`);
	let answers = await completeAnswers(host, profile, typedAnswers, prompt, notify);
	for (;;) {
		const account = accountFromAnswers(name, answers, tokenPath);
		const trial = await tryAccount(host, account, answers, prompt?.signal);
		if (prompt?.signal.aborted) return exitCodes.interrupted;
		if (trial.isAccepted) {
			const saveFailure = saveProfile(configPath, configText, name, answers);
			if (saveFailure !== undefined) {
				notify(`The sign-in worked, but the profile cannot be saved: ${saveFailure}.`);
				return exitCodes.failed;
			}
			if (trial.token) createTokenCache(account, notify).save(trial.token);
			host.program.stdout.write(successText(answers, trial, name, configPath));
			if (prompt) await offerAsDefault(configPath, name, config, prompt, notify);
			return exitCodes.done;
		}
		notify(trial.message);
		notify(trial.advice);
		if (!prompt) return exitCodes.notSignedIn;
		answers = { ...answers, ...(await askAfterRefusal(trial.fields, answers, prompt, notify)) };
	}
}

/**
 * Asks again for the refused answers. After a refused password, only the password is asked for: it was typed unseen,
 * so it is more likely to be wrong than the e-mail address. If no answer was refused, the same answers can be tried
 * again.
 */
async function askAfterRefusal(
	fields: LoginRefusal['fields'],
	answers: LoginAnswers,
	prompt: Prompt,
	notify: (line: string) => void,
) {
	const refused = loginFields.filter(field => fields.includes(field));
	if (refused.length > 0)
		return askForFields(
			refused.includes('password') ? ['password'] : refused,
			answers,
			prompt,
			notify,
		);
	const answer = await prompt.ask(`Enter tries again, ${backAnswer} changes an answer: `);
	return answer.trim() === backAnswer
		? askForFields(['password'], answers, prompt, notify)
		: answers;
}

/** Asks whether to open the profile by default, if there are other profiles and the default is a single profile. */
async function offerAsDefault(
	configPath: string,
	name: string,
	{ profiles, profile: defaults = [] }: Config,
	prompt: Prompt,
	notify: (line: string) => void,
): Promise<void> {
	const hasOthers = [...(profiles?.keys() ?? [])].some(other => other !== name);
	if (!hasOthers || defaults.includes(name) || defaults.length > 1) return;
	const [present] = defaults;
	const instead = present === undefined ? '' : ` instead of ${present}`;
	const answer = await prompt.ask(`Open ${name} by default${instead}? y / n `);
	if (answer.trim().toLowerCase() !== 'y') return;
	const edited = withDefaultProfile(readConfigText(configPath) ?? '', name);
	const failure =
		edited === undefined
			? `crowsnest cannot edit ${configPath} safely; add profile = "${name}" to it yourself`
			: writeConfig(configPath, edited);
	if (failure !== undefined) notify(`The default cannot be saved: ${failure}.`);
}

function successText(
	{ email }: LoginAnswers,
	{ computerCount }: AcceptedSignIn,
	name: string,
	path: string,
): string {
	const fleet = `${computerCount} computer${computerCount === 1 ? '' : 's'}`;
	return (
		`Signed in as ${cleanText(email)}: ${fleet}.\n` +
		`Saved the profile ${name} in ${path}, without the password.\n`
	);
}

/**
 * Runs the sign-in that a person starts while the monitor shows the demo. Resolves with true if an account was
 * set up. For the monitor of a screen reader, it writes only plain lines.
 */
export async function logInFromMonitor(
	host: Host,
	args: ParsedArgs,
	isSpoken: boolean,
): Promise<boolean> {
	const { stderr } = host.program;
	try {
		if ((await logIn(host, args, isSpoken)) === exitCodes.done) return true;
	} catch (error) {
		if (error instanceof Interrupted) return false;
		if (!(error instanceof UsageError)) throw error;
		stderr.write(`${error.message}\n`);
	}
	await waitForEnter(host, isSpoken);
	return false;
}

// Waits for Enter, so that a person can read the messages before the monitor covers them.
async function waitForEnter({ program }: Host, isPlain: boolean) {
	const prompt = createPrompt(program, isPlain);
	try {
		await prompt.ask('Press Enter to go back to the demo. ');
	} catch (error) {
		if (!(error instanceof Interrupted)) throw error;
	} finally {
		prompt.close();
	}
}

/** Returns the name of the profile to save: the chosen name, or else the name of the default profile. */
function profileNameFrom({ program }: Host, args: ParsedArgs, config: Config): string {
	const flagged = args.list('profile');
	const chosen = flagged.length > 0 ? flagged : splitNames([program.env[variable] ?? '']);
	const existing = [...(config.profiles?.keys() ?? [])];
	const defaults = config.profile ?? (existing.length === 1 ? existing : ['default']);
	const [name = 'default', ...others] = chosen.length > 0 ? chosen : defaults;
	if (others.length > 0) {
		const names = [name, ...others].map(tomlKeyText).join(', ');
		throw new UsageError(`login saves one profile; choose it with --profile: ${names}`);
	}
	if (isProfileName(name)) return name;
	throw new UsageError(`${tomlKeyText(name)} ${profileNameRule}`);
}

const { variable } = programSettings.profile;
