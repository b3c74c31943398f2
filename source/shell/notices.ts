import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import type { JsonFields, JsonRecord } from './command.ts';

export const noticeFields = {
	message: 'what the command is waiting for, or a problem that does not stop it',
} as const satisfies JsonFields;

/**
 * Returns a function that prints a notice on standard error. With --json, each notice is a JSON object, so
 * that a program can parse every line.
 */
export function createNotify(
	{ stderr }: Pick<Program, 'stderr'>,
	isJson: boolean,
): (line: string) => void {
	return line => {
		const message = cleanForTerminal(line);
		const notice = { message } satisfies JsonRecord<typeof noticeFields>;
		stderr.write(isJson ? `${JSON.stringify({ notice })}\n` : `${message}\n`);
	};
}
