import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { cleanForTerminal } from '../features/escape-sequences.ts';

type CrashReport = {
	/** The folder in which the report is written. */
	folder: string;
	/** The time of the crash, in milliseconds since 1970. */
	crashedAt: number;
	/** The program's version and the environment it runs in. */
	programInfo: string;
	error: unknown;
};

/**
 * Writes a crash report into its folder. Returns the path of the file, or undefined when the file could not
 * be written.
 */
function writeCrashReport({
	folder,
	crashedAt,
	programInfo,
	error,
}: CrashReport): string | undefined {
	const time = new Date(crashedAt).toISOString();
	const file = join(folder, `crash-${time.replace(/[:.]/g, '-')}.txt`);
	const text = `${time}\n${programInfo}\n\n${inspect(error, { depth: 5 })}\n`;
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		writeFileSync(file, text, { mode: 0o600 });
		return file;
	} catch {
		return undefined;
	}
}

/**
 * Writes a crash report, and returns a message with the path, to print after the screen has been given back.
 */
export function reportCrash(report: CrashReport): string {
	const { error } = report;
	const message = cleanForTerminal(error instanceof Error ? error.message : String(error));
	const file = writeCrashReport(report);
	const where = file ? `The crash report is in ${file}` : 'No crash report could be written.';
	return `crowsnest stopped because of a bug: ${message}\n${where}\n`;
}
