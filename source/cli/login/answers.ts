import { text as allOf } from 'node:stream/consumers';
import type { ProfileValues } from '../../accounts/config-table.ts';
import { defaultPasswordTimeoutMs } from '../../accounts/credentials.ts';
import { PasswordError, passwordFromCommand } from '../../accounts/password-command.ts';
import {
	type LoginAnswers,
	type LoginField,
	loginFields,
	signInFieldRows,
} from '../../accounts/sign-in-fields.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { childEffectsOf, type Host } from '../../session/host.ts';
import type { ParsedArgs } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import type { Prompt } from '../../shell/prompt.ts';

/** The sign-in answers that are known so far. */
type PartialAnswers = Partial<LoginAnswers>;

/** Reads sign-in answers from the options, the environment and, with --password-stdin, standard input. */
export async function answersFromOptions(
	{ program }: Host,
	args: ParsedArgs,
): Promise<PartialAnswers> {
	const answers: PartialAnswers = {};
	for (const field of loginFields) {
		const { option, variable } = signInFieldRows[field];
		const optionText = option === undefined ? undefined : args.text(option);
		const text = optionText ?? (program.env[variable ?? ''] || undefined);
		if (text !== undefined)
			answers[field] = checkedAnswer(field, text, optionText ? `--${option}` : `${variable}`);
	}
	if (!args.flag('password-stdin')) return answers;
	const [password = ''] = (await allOf(program.stdin)).split(/\r?\n/);
	return {
		...answers,
		password: checkedAnswer('password', password, 'The password on standard input'),
	};
}

function checkedAnswer(field: LoginField, text: string, source: string): string {
	const { value, problem: wrong } = signInFieldRows[field].check(text);
	if (value === undefined) throw new UsageError(`${source} ${wrong}`);
	return value;
}

/** Reads the sign-in answers that an existing profile contains. */
function answersFromProfile({ url, authUrl, anonKey, email }: ProfileValues): PartialAnswers {
	return {
		...(url && { url }),
		...(authUrl && { authUrl }),
		...(anonKey && { anonKey }),
		...(email && { email }),
	};
}

/**
 * Runs the password command of a profile, but not for a sign-in at another identity provider, which must not receive
 * the profile's password.
 */
async function passwordFromProfileCommand(
	host: Host,
	{
		passwordCommand: command,
		passwordTimeout: timeoutMs = defaultPasswordTimeoutMs,
		authUrl,
	}: ProfileValues,
	answers: PartialAnswers,
): Promise<PartialAnswers> {
	if (command === undefined || authUrl !== answers.authUrl) return {};
	const { signal } = new AbortController();
	const environment = host.program.env;
	const options = { command, environment, terminal: 'shared', timeoutMs, signal } as const;
	return { password: await passwordFromCommand(options, childEffectsOf(host)) };
}

/**
 * Completes the sign-in answers. With a terminal, asks for every missing answer and offers the profile's
 * value as the default. Without a terminal, takes the profile's values.
 */
export async function completeAnswers(
	host: Host,
	profile: ProfileValues,
	typedAnswers: PartialAnswers,
	prompt: Prompt | undefined,
	notify: (line: string) => void,
): Promise<LoginAnswers> {
	const defaultAnswers = answersFromProfile(profile);
	let answers: PartialAnswers = { ...defaultAnswers, ...typedAnswers };
	const askForMissing = async (...neededFields: readonly LoginField[]) => {
		const missingFields = neededFields.filter(
			field => (prompt ? typedAnswers : answers)[field] === undefined,
		);
		if (prompt) answers = await askForFields(missingFields, answers, prompt, notify);
		else if (missingFields.length > 0) {
			throw new UsageError(`No terminal to ask on: set ${optionNamesOf(missingFields)}`);
		}
	};
	await askForMissing('url', 'authUrl', 'anonKey', 'email');
	if (typedAnswers.password === undefined) {
		answers = { ...answers, ...(await passwordOfProfile(host, profile, answers, prompt, notify)) };
		if (answers.password === undefined) await askForMissing('password');
	}
	const { url = '', authUrl = '', anonKey = '', email = '', password = '' } = answers;
	return { url, authUrl, anonKey, email, password };
}

/** Runs the password command of the profile. If the command fails on a terminal, a person types the password instead. */
async function passwordOfProfile(
	host: Host,
	profile: ProfileValues,
	answers: PartialAnswers,
	prompt: Prompt | undefined,
	notify: (line: string) => void,
): Promise<PartialAnswers> {
	try {
		return await passwordFromProfileCommand(host, profile, answers);
	} catch (error) {
		if (!prompt || !(error instanceof PasswordError)) throw error;
		notify(error.message);
		return {};
	}
}

function optionNamesOf(missingFields: readonly LoginField[]): string {
	return missingFields
		.map(field => signInFieldRows[field])
		.map(({ option, variable }) => (option ? `--${option}` : variable))
		.join(', ');
}

/** The answer that goes back to the previous question. */
export const backAnswer = '<';

/**
 * Asks for each of these fields until the answer is valid. Enter alone accepts the earlier answer, but never an
 * earlier password. Going back asks the previous question again, even if its field is not one of these fields.
 */
export async function askForFields(
	fields: readonly LoginField[],
	earlierAnswers: PartialAnswers,
	prompt: Prompt,
	notify: (line: string) => void,
): Promise<PartialAnswers> {
	const answers: PartialAnswers = { ...earlierAnswers };
	const explained = new Set<LoginField>();
	let queue = [...fields];
	for (let [field] = queue; field !== undefined; [field] = queue) {
		const { subject, hint, isSecret: isHidden, check } = signInFieldRows[field];
		const earlier = field === 'password' ? undefined : answers[field];
		if (earlier === undefined && !explained.has(field)) notify(`${hint}.`);
		explained.add(field);
		const typed = await prompt.ask(questionFor(field, earlier), { isHidden });
		if (typed.trim() === backAnswer) {
			const before = loginFields[loginFields.indexOf(field) - 1];
			if (before) queue = [before, ...queue];
			else notify('This is the first question.');
			continue;
		}
		const { value, problem, note } = check(typed === '' ? (earlier ?? '') : typed);
		if (note !== undefined) notify(`${note}.`);
		if (value === undefined) {
			notify(`${subject} ${problem}.`);
			continue;
		}
		answers[field] = value;
		queue = queue.slice(1);
	}
	return answers;
}

function questionFor(field: LoginField, earlier: string | undefined): string {
	const { label, isSecret } = signInFieldRows[field];
	const defaultHint =
		earlier === undefined ? '' : isSecret ? ' [unchanged]' : ` [${cleanText(earlier)}]`;
	return `${label}${isSecret ? ' (not shown)' : ''}${defaultHint}: `;
}
