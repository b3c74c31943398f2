import { CommandError, exitCodes, type UsageError } from '../foundation/error.ts';
import type { Failure } from '../foundation/failure.ts';
import type { JsonFields, JsonRecord } from '../foundation/json.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { withAccount } from '../views/records.ts';

export function errorFromFailure(
	attempt: string,
	{ kind, message, advice }: Failure,
): CommandError {
	const code = kind === 'auth' ? exitCodes.notSignedIn : exitCodes.failed;
	return new CommandError(kind, `${attempt}: ${message}`, advice, code);
}

export const outputError = (message: string) =>
	new CommandError('output', `Cannot write the output: ${message}`, '');

export function readOnlyError(): CommandError {
	const advice = 'Run without --read-only, and without readOnly in the configuration.';
	return new CommandError('read-only', 'Read-only: nothing can be changed here', advice);
}

export function errorFromUsage({ message }: UsageError, commandName?: string): CommandError {
	const help = commandName === undefined ? '--help' : `${commandName} --help`;
	return new CommandError('usage', message, `See crowsnest ${help}`, exitCodes.usage);
}

export const errorFields = {
	kind:
		'usage, auth, denied, missing, limited, conflict, payment, invalid, server, offline, unreadable, ' +
		'cancelled, timeout, read-only, not-allowed, not-published or output',
	message: 'what went wrong',
	advice: 'what to do about it; may be empty',
} as const satisfies JsonFields;

export function errorText(
	{ kind, message, advice }: CommandError,
	isJson: boolean,
	account?: string,
): string {
	if (isJson) {
		const error = { kind, message, advice } satisfies JsonRecord<typeof errorFields>;
		return `${JSON.stringify({ error: withAccount(error, account) })}\n`;
	}
	const subject = account === undefined ? '' : `${account}: `;
	const lines = [...`crowsnest: ${subject}${message}`.split('\n'), advice].map(cleanForTerminal);
	return `${lines.filter(Boolean).join('\n')}\n`;
}

export const noticeFields = {
	message: 'what the command is waiting for, or a problem that does not stop it',
} as const satisfies JsonFields;

export function createNotify(
	{ stderr }: { stderr: { write(line: string): unknown } },
	isJson: boolean,
	account?: string,
): (line: string) => void {
	return line => {
		const message = cleanForTerminal(line);
		const notice = { message } satisfies JsonRecord<typeof noticeFields>;
		const subject = account === undefined ? '' : `${account}: `;
		const record = JSON.stringify({ notice: withAccount(notice, account) });
		stderr.write(isJson ? `${record}\n` : `${subject}${message}\n`);
	};
}

export const demoNotice = 'Demo data: nothing here is real';
