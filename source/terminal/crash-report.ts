import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { cleanForTerminal } from './escape-sequences.ts';

export type CrashReport = {
	/** The folder for the file. */
	path: string;
	/** Milliseconds since 1970. */
	now: number;
	/** The program's version and where it runs. */
	about: string;
	error: unknown;
};

/** Writes the report and returns its path; undefined when it could not be written. */
export function writeCrashReport({ path, now, about, error }: CrashReport): string | undefined {
	const time = new Date(now).toISOString();
	const file = join(path, `crash-${time.replace(/[:.]/g, '-')}.txt`);
	const text = `${time}\n${about}\n\n${inspect(error, { depth: 5 })}\n`;
	try {
		mkdirSync(path, { recursive: true, mode: 0o700 });
		writeFileSync(file, text, { mode: 0o600 });
		return file;
	} catch {
		return undefined;
	}
}

/** Writes the report and returns the text that is shown below the prompt. */
export function failureText(report: CrashReport): string {
	const { error } = report;
	const message = cleanForTerminal(error instanceof Error ? error.message : String(error));
	const file = writeCrashReport(report);
	const where = file ? `The crash report is in ${file}` : 'No crash report could be written.';
	return `crowsnest stopped because of a bug: ${message}\n${where}\n`;
}
