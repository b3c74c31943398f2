import { text as allOf } from 'node:stream/consumers';
import { passwordTimeout as usualTimeout } from '../../accounts/credentials.ts';
import { passwordFromCommand } from '../../accounts/password-command.ts';
import type { ProfileValues } from '../../accounts/setting-table.ts';
import { cleanText } from '../../platform/clean.ts';
import type { Host } from '../../session/host.ts';
import type { ParsedArgs } from '../../shell/command.ts';
import { UsageError } from '../../shell/errors.ts';
import type { Prompt } from '../../shell/prompt.ts';
import { type Answers, type Field, fieldRows, fields } from './fields.ts';

/** The answers that have been found so far. */
export type PartialAnswers = Partial<Answers>;

/** Takes answers from the options and the environment, and the password from standard input. */
export async function answersFromOptions(
	{ program }: Host,
	args: ParsedArgs,
): Promise<PartialAnswers> {
	const known: PartialAnswers = {};
	for (const field of fields) {
		const { option, variable } = fieldRows[field];
		const flag = option === undefined ? undefined : args.text(option);
		const text = flag ?? (program.env[variable] || undefined);
		if (text !== undefined) known[field] = checked(field, text, flag ? `--${option}` : variable);
	}
	if (!args.flag('password-stdin')) return known;
	const [password = ''] = (await allOf(program.stdin)).split(/\r?\n/);
	return { ...known, password: checked('password', password, 'The password on standard input') };
}

function checked(field: Field, text: string, from: string): string {
	const { value, wrong } = fieldRows[field].check(text);
	if (value === undefined) throw new UsageError(`${from} ${wrong}`);
	return value;
}

/** Takes answers from an existing profile. */
function answersFromProfile({ url, authUrl, anonKey, email }: ProfileValues): PartialAnswers {
	return {
		...(url && { url }),
		...(authUrl && { authUrl }),
		...(anonKey && { anonKey }),
		...(email && { email }),
	};
}

/**
 * Runs the password command of a profile, but only if the sign-in goes to the identity provider of that
 * profile.
 */
async function passwordFromProfileCommand(
	{ program, clock }: Host,
	{ passwordCommand: command, passwordTimeout: timeout = usualTimeout, authUrl }: ProfileValues,
	answers: PartialAnswers,
): Promise<PartialAnswers> {
	if (command === undefined || authUrl !== answers.authUrl) return {};
	const { signal } = new AbortController();
	const environment = program.env;
	const options = { command, environment, terminal: 'shared', clock, timeout, signal } as const;
	return { password: await passwordFromCommand(options) };
}

/**
 * Completes the answers. With a terminal, asks for every missing answer and offers the profile's value as
 * the default. Without a terminal, the profile's values are used.
 */
export async function completeAnswers(
	host: Host,
	profile: ProfileValues,
	known: PartialAnswers,
	prompt: Prompt | undefined,
	notify: (line: string) => void,
): Promise<Answers> {
	const offered = answersFromProfile(profile);
	let answers: PartialAnswers = { ...offered, ...known };
	const ask = async (...needed: readonly Field[]) => {
		const open = needed.filter(field => (prompt ? known : answers)[field] === undefined);
		if (prompt) answers = { ...answers, ...(await askFor(open, offered, prompt, notify)) };
		else if (open.length > 0) {
			throw new UsageError(`There is no terminal to ask on: set ${optionNamesOf(open)}`);
		}
	};
	await ask('url', 'authUrl', 'anonKey', 'email');
	if (known.password === undefined) {
		answers = { ...answers, ...(await passwordFromProfileCommand(host, profile, answers)) };
		if (answers.password === undefined) await ask('password');
	}
	const { url = '', authUrl = '', anonKey = '', email = '', password = '' } = answers;
	return { url, authUrl, anonKey, email, password };
}

function optionNamesOf(missing: readonly Field[]): string {
	return missing
		.map(field => fieldRows[field])
		.map(({ option, variable }) => (option ? `--${option}` : variable))
		.join(', ');
}

/** Asks for each of these fields until its answer is valid. Enter alone accepts the offered value. */
export async function askFor(
	open: readonly Field[],
	offered: PartialAnswers,
	prompt: Prompt,
	notify: (line: string) => void,
): Promise<PartialAnswers> {
	const answers: PartialAnswers = {};
	for (const field of open) {
		const { label, subject, isHidden, check } = fieldRows[field];
		const offer = offered[field];
		const hint = offer === undefined ? '' : isHidden ? ' [unchanged]' : ` [${cleanText(offer)}]`;
		const hidden = isHidden ? ' (not shown)' : '';
		for (;;) {
			const typed = await prompt.ask(`${label}${hidden}${hint}: `, { isHidden });
			const { value, wrong } = check(typed === '' ? (offer ?? '') : typed);
			if (value !== undefined) {
				answers[field] = value;
				break;
			}
			notify(`${subject} ${wrong}.`);
		}
	}
	return answers;
}
