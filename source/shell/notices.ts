import { cleanForTerminal } from '../terminal/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import type { noticeFields, RecordOf } from './json-fields.ts';

/** Says a line beside the output; as JSON too, so that a program can read all that stands there. */
export function createNotices(
	{ stderr }: Pick<Program, 'stderr'>,
	isJson: boolean,
): (line: string) => void {
	return line => {
		const message = cleanForTerminal(line);
		const notice = { message } satisfies RecordOf<typeof noticeFields>;
		stderr.write(isJson ? `${JSON.stringify({ notice })}\n` : `${message}\n`);
	};
}
