import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { cleanForTerminal } from './escape-sequences.ts';

export type CrashReport = {
	/** The folder to put it into. */
	path: string;
	/** Milliseconds since 1970. */
	now: number;
	/** What the program tells about itself and where it runs. */
	about: string;
	error: unknown;
};

/** Writes what is known about a bug, and returns where; undefined when it could not be written. */
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

/** What is told below the prompt after a bug, once a report of it is written. */
export function failureText(report: CrashReport): string {
	const { error } = report;
	const message = cleanForTerminal(error instanceof Error ? error.message : String(error));
	const file = writeCrashReport(report);
	const where = file ? `What is known about it is in ${file}` : 'No report could be written.';
	return `crowsnest had to stop: ${message}\n${where}\n`;
}
