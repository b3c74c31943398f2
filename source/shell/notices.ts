import { cleanForTerminal } from '../terminal/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import type { JsonFields, JsonRecord } from './command.ts';

export const noticeFields = {
	message: 'what the command is waiting for, or a problem that does not stop it',
} as const satisfies JsonFields;

/** Prints a line on standard error; with --json as an object, so that a program can read every line. */
export function createNotices(
	{ stderr }: Pick<Program, 'stderr'>,
	isJson: boolean,
): (line: string) => void {
	return line => {
		const message = cleanForTerminal(line);
		const notice = { message } satisfies JsonRecord<typeof noticeFields>;
		stderr.write(isJson ? `${JSON.stringify({ notice })}\n` : `${message}\n`);
	};
}
