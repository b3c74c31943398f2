import { text as allOf } from 'node:stream/consumers';
import { passwordTimeout as usualTimeout } from '../../accounts/credentials.ts';
import { passwordFromCommand } from '../../accounts/password-command.ts';
import type { ProfileValues } from '../../accounts/setting-table.ts';
import { cleanText } from '../../platform/clean.ts';
import { type Given, UsageError } from '../../shell/command.ts';
import type { Host } from '../../shell/host.ts';
import type { Prompt } from '../../shell/prompt.ts';
import { type Answers, type Field, fieldRows, fields } from './fields.ts';

/** Where answers come from, besides a person. */
export type Known = Partial<Answers>;

/** What flags, the environment and, for the password, a pipe say. */
export async function givenAnswers({ program }: Host, given: Given): Promise<Known> {
	const known: Known = {};
	for (const field of fields) {
		const { option, variable } = fieldRows[field];
		const flag = option === undefined ? undefined : given.text(option);
		const text = flag ?? (program.env[variable] || undefined);
		if (text !== undefined) known[field] = checked(field, text, flag ? `--${option}` : variable);
	}
	if (!given.flag('password-stdin')) return known;
	const [password = ''] = (await allOf(program.stdin)).split(/\r?\n/);
	return { ...known, password: checked('password', password, 'The password on stdin') };
}

function checked(field: Field, text: string, from: string): string {
	const { value, wrong } = fieldRows[field].check(text);
	if (value === undefined) throw new UsageError(`${from} ${wrong}`);
	return value;
}

/** What the profile that is there says. */
function offeredBy({ url, authUrl, anonKey, email }: ProfileValues): Known {
	return {
		...(url && { url }),
		...(authUrl && { authUrl }),
		...(anonKey && { anonKey }),
		...(email && { email }),
	};
}

/** The password that the profile's command prints, for the identity provider it was meant for. */
async function printedPassword(
	{ program, clock }: Host,
	{ passwordCommand: command, passwordTimeout: timeout = usualTimeout, authUrl }: ProfileValues,
	answers: Known,
): Promise<Known> {
	if (command === undefined || authUrl !== answers.authUrl) return {};
	const { signal } = new AbortController();
	const environment = program.env;
	const options = { command, environment, terminal: 'shared', clock, timeout, signal } as const;
	return { password: await passwordFromCommand(options) };
}

/** All answers: what is known, what a person says, and what the profile says where nobody is there. */
export async function completed(
	host: Host,
	profile: ProfileValues,
	known: Known,
	prompt: Prompt | undefined,
	say: (line: string) => void,
): Promise<Answers> {
	const offered = offeredBy(profile);
	let answers: Known = { ...offered, ...known };
	const ask = async (...wanted: readonly Field[]) => {
		const open = wanted.filter(field => (prompt ? known : answers)[field] === undefined);
		if (prompt) answers = { ...answers, ...(await askFor(open, offered, prompt, say)) };
		else if (open.length > 0)
			throw new UsageError(`nobody to ask, and nothing gives ${waysOf(open)}`);
	};
	await ask('url', 'authUrl', 'anonKey', 'email');
	if (known.password === undefined) {
		answers = { ...answers, ...(await printedPassword(host, profile, answers)) };
		if (answers.password === undefined) await ask('password');
	}
	const { url = '', authUrl = '', anonKey = '', email = '', password = '' } = answers;
	return { url, authUrl, anonKey, email, password };
}

function waysOf(missing: readonly Field[]): string {
	return missing
		.map(field => fieldRows[field])
		.map(({ option, variable }) => (option ? `--${option}` : variable))
		.join(', ');
}

/** Asks for these fields; what was there before is offered. */
export async function askFor(
	wanted: readonly Field[],
	offered: Known,
	prompt: Prompt,
	say: (line: string) => void,
): Promise<Known> {
	const answers: Known = {};
	for (const field of wanted) {
		const { label, subject, isHidden, check } = fieldRows[field];
		const offer = offered[field];
		const hint = offer === undefined ? '' : isHidden ? ' [as before]' : ` [${cleanText(offer)}]`;
		const hidden = isHidden ? ' (not shown)' : '';
		for (;;) {
			const typed = await prompt.ask(`${label}${hidden}${hint}: `, { isHidden });
			const { value, wrong } = check(typed === '' ? (offer ?? '') : typed);
			if (value !== undefined) {
				answers[field] = value;
				break;
			}
			say(`${subject} ${wrong}.`);
		}
	}
	return answers;
}
