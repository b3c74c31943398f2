import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text as allOf } from 'node:stream/consumers';
import { type Config, saveDefaultProfile, saveProfile } from '../../accounts/config-text.ts';
import { defaultPasswordTimeoutMs } from '../../accounts/credentials.ts';
import { PasswordError, passwordFromCommand } from '../../accounts/password-source.ts';
import { removePrivately } from '../../accounts/private-file.ts';
import {
	isProfileName,
	profileNameRule,
	splitNames,
	tomlKeyText,
} from '../../accounts/setting-values.ts';
import { accountVariables, type ProfileValues, profileVariable } from '../../accounts/settings.ts';
import {
	checkedAnswer,
	labelInSentence,
	loginFields,
	type SignInField,
	signInFieldRows,
} from '../../accounts/sign-in-fields.ts';
import { createTokenCache, storedTokenAt } from '../../accounts/token-cache.ts';
import { exitCodes, UsageError } from '../../foundation/error.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import type { ParsedArgs } from '../../script/parsed-args.ts';
import { isAtTerminal, type Prompt, withPrompt } from '../../script/prompt.ts';
import type { ReachableAccount } from '../../session/access.ts';
import { childEffectsOf, type Host, Interrupted, pathsOf } from '../../session/host.ts';
import {
	loadSettings,
	problemLines,
	readConfig,
	readConfigText,
	requireAccounts,
} from '../../session/settings.ts';
import { type AcceptedSignIn, accountFromAnswers, tryAccount } from '../../session/try-account.ts';
import { pluralize } from '../../views/phrases/words.ts';
import type { Command } from '../command.ts';
import { accountOptions, severalAccountsOptions } from '../options.ts';

export const login: Command = {
	name: 'login',
	summary: 'sign in and save a profile',
	description:
		'Asks for what is missing; < goes back to the previous question. The anon key and the password are no\n' +
		'options, because other users can see them: type them, or set CROWSNEST_ANON_KEY and CROWSNEST_PASSWORD.\n' +
		'With --token, it asks for a token that you already have, or reads it from standard input. crowsnest cannot\n' +
		'renew such a token. A profile that exists is not changed: login says what to write.',
	options: [
		...accountOptions,
		{ name: 'url', valueName: 'URL', help: 'base URL of the platform; ends in /v1' },
		{ name: 'auth-url', valueName: 'URL', help: 'URL of the identity provider' },
		{ name: 'email', valueName: 'EMAIL', help: 'e-mail to sign in with' },
		{ name: 'token', help: 'sign in with a token instead of a password, and store it' },
		{ name: 'password-stdin', help: 'read the password from standard input' },
	],
	examples: [
		'crowsnest login',
		'crowsnest login --token --profile lab',
		'pass show fleet | crowsnest login --profile work --password-stdin',
	],
	async run(host, args) {
		const code = await logIn(host, args, false);
		if (code === exitCodes.done) host.program.stdout.write('Now run `crowsnest`.\n');
		return code;
	},
};

/** True if an account was set up. `isPlain` is for a screen reader. */
export async function logInFromMonitor(
	host: Host,
	args: ParsedArgs,
	isPlain: boolean,
): Promise<boolean> {
	try {
		if ((await logIn(host, args, isPlain)) === exitCodes.done) return true;
	} catch (error) {
		if (error instanceof Interrupted) return false;
		if (!(error instanceof UsageError)) throw error;
		host.program.stderr.write(`${error.message}\n`);
	}
	const question = 'Press Enter to go back to the demo. ';
	await withPrompt(host.program, { isPlain }, prompt => prompt.ask(question)).catch(error => {
		if (!(error instanceof Interrupted)) throw error;
	});
	return false;
}

async function logIn(host: Host, args: ParsedArgs, isPlain: boolean): Promise<number> {
	const { program } = host;
	const notify = (text: string) => {
		for (const line of text.split('\n')) program.stderr.write(`${cleanText(line)}\n`);
	};
	const signInWith = (prompt?: Prompt) => signIn({ host, prompt, notify }, args);
	const isAsking = isAtTerminal(program) && !args.flag('password-stdin');
	try {
		return await (isAsking ? withPrompt(program, { isPlain }, signInWith) : signInWith());
	} catch (error) {
		if (!(error instanceof PasswordError)) throw error;
		notify(error.message);
		return exitCodes.notSignedIn;
	}
}

type Dialogue = { host: Host; prompt: Prompt | undefined; notify: (text: string) => void };

type Field = Exclude<SignInField, 'way' | 'profile'>;
type Answers = Partial<Record<Field, string>>;

async function signIn(dialogue: Dialogue, args: ParsedArgs): Promise<number> {
	const { host, prompt, notify } = dialogue;
	const { configPath, tokensPath } = pathsOf(host);
	const { config, problems } = readConfig(host);
	if (problems.length > 0) throw new UsageError(problemLines(problems, configPath));
	const name = profileNameFrom(host, args, config);
	const profile = config.profiles.get(name) ?? {};
	const way = args.flag('token') ? 'token' : 'password';
	const fields: readonly Field[] = way === 'token' ? ['url', 'token'] : loginFields;
	const given = await givenAnswers(host, args, fields, prompt !== undefined);
	const { url, authUrl, anonKey, email } = profile;
	let answers: Answers = { url, authUrl, anonKey, email, ...given };
	let open = fields.filter(field => field !== 'password' && given[field] === undefined);
	if (prompt) host.program.stderr.write(`${backAnswer} goes back to the previous question.\n`);
	for (;;) {
		if (prompt) answers = await ask(open, fields, answers, prompt, notify);
		if (fields.includes('password') && answers.password === undefined) {
			const password = await passwordOfProfile(dialogue, profile, answers.authUrl);
			answers = { ...answers, password };
			open = ['password'];
			if (password === undefined && prompt) continue;
		}
		refuseMissing(fields, answers);
		const account = accountFromAnswers(name, { way, ...answers }, join(tokensPath, `${name}.json`));
		const trial = await tryAccount(host, account, prompt?.signal);
		if (prompt?.signal.aborted) return exitCodes.interrupted;
		if (trial.isAccepted) {
			if (!saveAccount(dialogue, account, answers, trial)) return exitCodes.failed;
			await offerAsDefault(dialogue, name, config);
			return exitCodes.done;
		}
		notify(trial.message);
		notify(trial.advice);
		if (!prompt) return exitCodes.notSignedIn;
		const refused = fields.filter(field => trial.fields.some(each => each === field));
		const secret = fields.slice(-1);
		// A secret was typed unseen, so it is more likely to be wrong.
		const isSecretWrong = refused.length === 0 || secret.some(field => refused.includes(field));
		open = isSecretWrong ? secret : refused;
	}
}

function refuseMissing(fields: readonly Field[], answers: Answers): void {
	const missing = fields.filter(field => answers[field] === undefined);
	if (missing.length === 0) return;
	const names = missing.map(field => {
		const { option } = signInFieldRows[field];
		return option ? `--${option}` : accountVariables[field].name;
	});
	throw new UsageError(`No terminal to ask on: set ${names.join(', ')}`);
}

function saveAccount(
	{ host, notify }: Dialogue,
	account: ReachableAccount,
	{ url = '', authUrl = '', anonKey = '', email = '', token }: Answers,
	trial: AcceptedSignIn,
): boolean {
	const { name, tokenPath } = account;
	const { configPath } = pathsOf(host);
	const isToken = account.credentials.kind === 'token';
	const cache = createTokenCache(account, notify);
	if (isToken && token !== undefined) cache.save({ accessToken: token });
	// Without its token the profile is useless. The cache has said why.
	if (isToken && storedTokenAt(tokenPath, url) !== token) return false;
	const own: Record<string, string> = isToken
		? { signIn: 'token' }
		: { authUrl, anonKey, email, signIn: 'password' };
	const text = readConfigText(configPath) ?? '';
	const failure = saveProfile(configPath, text, name, { url, ...own });
	if (failure !== undefined) {
		notify(`The sign-in worked, but the profile is not saved: ${failure}`);
		return false;
	}
	if (!isToken && trial.token) cache.save(trial.token);
	const fleet = pluralize(trial.computerCount, 'computer');
	const [how, rest] = isToken
		? ['with the token', `and the token in ${tokenPath}, readable only by you`]
		: [`as ${cleanText(email)}`, 'without the password'];
	host.program.stdout.write(
		`Signed in ${how}: ${fleet}.\nSaved the profile ${name} in ${configPath}, ${rest}.\n`,
	);
	return true;
}

async function givenAnswers(
	{ program }: Host,
	args: ParsedArgs,
	fields: readonly Field[],
	isAsking: boolean,
): Promise<Answers> {
	const given: Answers = {};
	for (const field of fields) {
		const { option } = signInFieldRows[field];
		const { name: variable } = accountVariables[field];
		const typed = option && args.text(option);
		let text = typed ?? program.env[variable] ?? '';
		let source = typed === undefined ? variable : `--${option}`;
		const isTokenPiped = field === 'token' && !text && !isAsking;
		if (isTokenPiped || (field === 'password' && args.flag('password-stdin'))) {
			[text = ''] = (await allOf(program.stdin)).split(/\r?\n/);
			source = `The ${field} on standard input`;
		} else if (!text) continue;
		const { value, problem } = checkedAnswer(field, text);
		if (value === undefined) throw new UsageError(`${source} ${problem}`);
		given[field] = value;
	}
	return given;
}

async function passwordOfProfile(
	{ host, prompt, notify }: Dialogue,
	{ passwordCommand: command, passwordTimeout, authUrl }: ProfileValues,
	usedAuthUrl: string | undefined,
): Promise<string | undefined> {
	if (command === undefined || authUrl !== usedAuthUrl) return undefined;
	const timeoutMs = passwordTimeout ?? defaultPasswordTimeoutMs;
	try {
		const { signal } = new AbortController();
		const environment = host.program.env;
		const options = { command, environment, terminal: 'shared', timeoutMs, signal } as const;
		return await passwordFromCommand(options, childEffectsOf(host));
	} catch (error) {
		if (!prompt || !(error instanceof PasswordError)) throw error;
		notify(error.message);
		return undefined;
	}
}

const backAnswer = '<';

/** Enter alone accepts the earlier answer, but never an earlier password or token. */
async function ask(
	open: readonly Field[],
	fields: readonly Field[],
	earlierAnswers: Answers,
	prompt: Prompt,
	notify: Dialogue['notify'],
): Promise<Answers> {
	const answers: Answers = { ...earlierAnswers };
	const explained = new Set<Field>();
	let queue = [...open];
	for (let [field] = queue; field !== undefined; [field] = queue) {
		const { label, hint, isSecret: isHidden } = signInFieldRows[field];
		const earlier = field === fields.at(-1) ? undefined : answers[field];
		if (earlier === undefined && !explained.has(field))
			notify(`${field === 'token' ? storedTokenHint : hint}.`);
		explained.add(field);
		const shown = isHidden ? 'unchanged' : cleanText(earlier ?? '');
		const offer = earlier === undefined ? '' : ` [${shown}]`;
		const typed = await prompt.ask(`${label}${isHidden ? ' (not shown)' : ''}${offer}: `, {
			isHidden,
		});
		if (typed.trim() === backAnswer) {
			const before = fields[fields.indexOf(field) - 1];
			if (before) queue = [before, ...queue];
			else notify('This is the first question.');
			continue;
		}
		const { value, problem, note } = checkedAnswer(field, typed === '' ? (earlier ?? '') : typed);
		if (note !== undefined) notify(`${note}.`);
		if (value === undefined) {
			notify(`${labelInSentence(field)} ${problem}.`);
			continue;
		}
		answers[field] = value;
		queue = queue.slice(1);
	}
	return answers;
}

const storedTokenHint =
	'A Bearer token of the platform. It is stored in a file that only you can read';

async function offerAsDefault(
	{ host, prompt, notify }: Dialogue,
	name: string,
	{ profiles, profile: defaults = [] }: Config,
): Promise<void> {
	const hasOthers = [...profiles.keys()].some(other => other !== name);
	if (!prompt || !hasOthers || defaults.length > 0) return;
	const answer = await prompt.ask(`Open ${name} by default? y / n `);
	if (answer.trim().toLowerCase() !== 'y') return;
	const { configPath } = pathsOf(host);
	const failure = saveDefaultProfile(configPath, readConfigText(configPath) ?? '', name);
	if (failure !== undefined) notify(`The default is not saved: ${failure}`);
}

function profileNameFrom({ program }: Host, args: ParsedArgs, config: Config): string {
	const existing = [...config.profiles.keys()];
	const [name = 'default', ...others] =
		[
			args.list('profile'),
			splitNames([program.env[profileVariable] ?? '']),
			config.profile ?? [],
			existing.length === 1 ? existing : [],
		].find(names => names.length > 0) ?? [];
	if (others.length > 0) {
		const names = [name, ...others].map(tomlKeyText).join(', ');
		throw new UsageError(`login saves one profile; choose it with --profile: ${names}`);
	}
	refuseWrongName(name);
	return name;
}

function refuseWrongName(name: string): void {
	if (!isProfileName(name)) throw new UsageError(`${tomlKeyText(name)} ${profileNameRule}`);
}

export const logout: Command = {
	name: 'logout',
	summary: 'sign out: delete the stored tokens of profiles',
	options: severalAccountsOptions,
	examples: ['crowsnest logout --profile work', 'crowsnest logout --all-profiles'],
	async run(host, args) {
		// The profile of --profile may already be gone from the configuration, while its token is still stored.
		const named = args.list('profile');
		const names =
			named.length > 0 && !args.flag('all-profiles')
				? named
				: requireAccounts(host, loadSettings(host, args)).map(({ name }) => name);
		names.forEach(refuseWrongName);
		for (const name of names) {
			const path = join(pathsOf(host).tokensPath, `${name}.json`);
			const said = existsSync(path)
				? `Signed out: deleted the token of ${name}. The profile stays.`
				: `Nothing to do: no token of ${name} is stored.`;
			removePrivately(path);
			host.program.stdout.write(`${said}\n`);
		}
		return exitCodes.done;
	},
};
