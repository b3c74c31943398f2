import { UsageError } from '../foundation/error.ts';
import type { Failure } from '../foundation/failure.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { exitCodes, type JsonFields, type JsonRecord } from './command.ts';

export { UsageError };

/** Thrown when a command fails for a reason other than wrong usage. */
export class CommandError extends Error {
	readonly kind: string;
	readonly advice: string;
	readonly code: number;

	constructor(kind: string, message: string, advice: string, code: number = exitCodes.failed) {
		super(message);
		this.kind = kind;
		this.advice = advice;
		this.code = code;
	}
}

/** Creates the error of a failed request. `attempt` begins the message, as in `Cannot read the credits`. */
export function errorFromFailure(
	attempt: string,
	{ kind, message, advice }: Failure,
): CommandError {
	const code = kind === 'auth' ? exitCodes.notSignedIn : exitCodes.failed;
	return new CommandError(kind, `${attempt}: ${message}`, advice, code);
}

/** Creates the error of an output that cannot be written, for example because the disk is full. */
export function outputError(message: string): CommandError {
	return new CommandError('output', `Cannot write the output: ${message}`, '');
}

export function readOnlyError(): CommandError {
	const advice = 'Run without --read-only, and without readOnly in the configuration.';
	return new CommandError('read-only', 'Read-only: nothing can be changed here', advice);
}

export function errorFromUsage(
	{ message }: UsageError,
	commandName: string | undefined,
): CommandError {
	const helpCommand =
		commandName === undefined ? 'crowsnest --help' : `crowsnest ${commandName} --help`;
	return new CommandError('usage', message, `See ${helpCommand}`, exitCodes.usage);
}

export const errorFields = {
	kind:
		'usage, auth, denied, missing, limited, conflict, payment, invalid, server, offline, unreadable, ' +
		'cancelled, timeout, read-only, not-allowed, not-published or output',
	message: 'what went wrong',
	advice: 'what to do about it; may be empty',
} as const satisfies JsonFields;

/** The field that a JSON record has only if a command works on several accounts. */
export const accountField = {
	account: 'profile that the record belongs to; only with several accounts',
} as const satisfies JsonFields;

/** Formats an error for standard error. `account` names the account that failed, if there are several. */
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

/** Adds the account to a JSON record, unless there is only one account. */
export function withAccount<Record extends object>(
	record: Record,
	account: string | undefined,
): Record {
	return account === undefined ? record : { account, ...record };
}

export const noticeFields = {
	message: 'what the command is waiting for, or a problem that does not stop it',
} as const satisfies JsonFields;

/**
 * Returns a function that prints a notice on standard error. With --json, each notice is a JSON object, so
 * that a program can parse every line. `account` names the account, if there are several.
 */
export function createNotify(
	{ stderr }: { stderr: { write(line: string): unknown } },
	isJson: boolean,
	account?: string,
): (line: string) => void {
	return line => {
		const message = cleanForTerminal(line);
		const notice = { message } satisfies JsonRecord<typeof noticeFields>;
		const record = { notice: withAccount(notice, account) };
		const subject = account === undefined ? '' : `${account}: `;
		stderr.write(isJson ? `${JSON.stringify(record)}\n` : `${subject}${message}\n`);
	};
}

/** Printed on standard error by every command that shows the demo's fleet without a screen. */
export const demoNotice = 'Demo data: nothing here is real';
