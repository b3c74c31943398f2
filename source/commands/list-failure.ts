import type { Failure } from '../fleet/failure.ts';
import { cleanForTerminal } from '../terminal/say.ts';
import { exitCodes, type UsageError } from './command.ts';

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

/** A wrong usage in the same form, for programs that read the errors. */
export function errorFromUsage({ message }: UsageError, command: string): CommandError {
	return new CommandError('usage', message, `See crowsnest ${command} --help`, exitCodes.usage);
}

export function errorText({ kind, message, advice }: CommandError, isJson: boolean): string {
	if (isJson) return `${JSON.stringify({ error: { kind, message, advice } })}\n`;
	const lines = [`crowsnest: ${message}`, advice].map(cleanForTerminal).filter(Boolean);
	return `${lines.join('\n')}\n`;
}
