import { text as allOf } from 'node:stream/consumers';
import type { ProfileValues } from '../../accounts/config-table.ts';
import { defaultPasswordTimeoutMs } from '../../accounts/credentials.ts';
import { passwordFromCommand } from '../../accounts/password-command.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import type { Host } from '../../session/host.ts';
import type { ParsedArgs } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import type { Prompt } from '../../shell/prompt.ts';
import { type LoginAnswers, type LoginField, loginFieldRows, loginFields } from './fields.ts';

/** The sign-in answers that are known so far. */
type PartialAnswers = Partial<LoginAnswers>;

/** Reads sign-in answers from the options, the environment and, with --password-stdin, standard input. */
export async function answersFromOptions(
	{ program }: Host,
	args: ParsedArgs,
): Promise<PartialAnswers> {
	const answers: PartialAnswers = {};
	for (const field of loginFields) {
		const { option, variable } = loginFieldRows[field];
		const optionText = option === undefined ? undefined : args.text(option);
		const text = optionText ?? (program.env[variable] || undefined);
		if (text !== undefined)
			answers[field] = checkedAnswer(field, text, optionText ? `--${option}` : variable);
	}
	if (!args.flag('password-stdin')) return answers;
	const [password = ''] = (await allOf(program.stdin)).split(/\r?\n/);
	return {
		...answers,
		password: checkedAnswer('password', password, 'The password on standard input'),
	};
}

function checkedAnswer(field: LoginField, text: string, source: string): string {
	const { value, problem: wrong } = loginFieldRows[field].check(text);
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
 * Runs the password command of a profile, unless the sign-in goes to another identity provider: that server
 * must not receive the profile's password.
 */
async function passwordFromProfileCommand(
	{ program, clock }: Host,
	{
		passwordCommand: command,
		passwordTimeout: timeoutMs = defaultPasswordTimeoutMs,
		authUrl,
	}: ProfileValues,
	answers: PartialAnswers,
): Promise<PartialAnswers> {
	if (command === undefined || authUrl !== answers.authUrl) return {};
	const { signal } = new AbortController();
	const environment = program.env;
	const options = { command, environment, terminal: 'shared', clock, timeoutMs, signal } as const;
	return { password: await passwordFromCommand(options) };
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
		if (prompt)
			answers = {
				...answers,
				...(await askForFields(missingFields, defaultAnswers, prompt, notify)),
			};
		else if (missingFields.length > 0) {
			throw new UsageError(`There is no terminal to ask on: set ${optionNamesOf(missingFields)}`);
		}
	};
	await askForMissing('url', 'authUrl', 'anonKey', 'email');
	if (typedAnswers.password === undefined) {
		answers = { ...answers, ...(await passwordFromProfileCommand(host, profile, answers)) };
		if (answers.password === undefined) await askForMissing('password');
	}
	const { url = '', authUrl = '', anonKey = '', email = '', password = '' } = answers;
	return { url, authUrl, anonKey, email, password };
}

function optionNamesOf(missingFields: readonly LoginField[]): string {
	return missingFields
		.map(field => loginFieldRows[field])
		.map(({ option, variable }) => (option ? `--${option}` : variable))
		.join(', ');
}

/** Asks for each missing field until the answer is valid. Enter alone accepts the default answer. */
export async function askForFields(
	missingFields: readonly LoginField[],
	defaultAnswers: PartialAnswers,
	prompt: Prompt,
	notify: (line: string) => void,
): Promise<PartialAnswers> {
	const answers: PartialAnswers = {};
	for (const field of missingFields) {
		const { label, subject, isHidden, check } = loginFieldRows[field];
		const defaultAnswer = defaultAnswers[field];
		const defaultHint =
			defaultAnswer === undefined
				? ''
				: isHidden
					? ' [unchanged]'
					: ` [${cleanText(defaultAnswer)}]`;
		const hiddenHint = isHidden ? ' (not shown)' : '';
		for (;;) {
			const typed = await prompt.ask(`${label}${hiddenHint}${defaultHint}: `, { isHidden });
			const { value, problem: wrong } = check(typed === '' ? (defaultAnswer ?? '') : typed);
			if (value !== undefined) {
				answers[field] = value;
				break;
			}
			notify(`${subject} ${wrong}.`);
		}
	}
	return answers;
}
