import type { Failure } from '../fleet/failure.ts';
import { cleanForTerminal } from '../terminal/escape-sequences.ts';
import { exitCodes } from './command.ts';
import type { errorFields, RecordOf } from './json-fields.ts';

/** The command line makes no sense. The error is printed with a pointer to the help. */
export class UsageError extends Error {}

/** The command cannot do what it was asked for. */
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

export function errorFromFailure(what: string, { kind, message, advice }: Failure): CommandError {
	const code = kind === 'auth' ? exitCodes.notSignedIn : exitCodes.failed;
	return new CommandError(kind, `${what}: ${message}`, advice, code);
}

export function readOnlyError(): CommandError {
	const advice = 'It is read-only by --read-only, or by readOnly in the configuration.';
	return new CommandError('read-only', 'nothing may be changed here', advice);
}

/** A wrong usage in the same form. */
export function errorFromUsage({ message }: UsageError, command: string | undefined): CommandError {
	const help = command === undefined ? 'crowsnest --help' : `crowsnest ${command} --help`;
	return new CommandError('usage', message, `See ${help}`, exitCodes.usage);
}

export function errorText({ kind, message, advice }: CommandError, isJson: boolean): string {
	if (isJson) {
		const error = { kind, message, advice } satisfies RecordOf<typeof errorFields>;
		return `${JSON.stringify({ error })}\n`;
	}
	const lines = [...`crowsnest: ${message}`.split('\n'), advice].map(cleanForTerminal);
	return `${lines.filter(Boolean).join('\n')}\n`;
}
