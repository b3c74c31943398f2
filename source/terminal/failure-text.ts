import { type CrashReport, writeCrashReport } from './crash-report.ts';
import { cleanForTerminal } from './say.ts';

/** What is told below the prompt after a bug, once a report of it is written. */
export function failureText(report: CrashReport): string {
	const { error } = report;
	const message = cleanForTerminal(error instanceof Error ? error.message : String(error));
	const file = writeCrashReport(report);
	const where = file ? `What is known about it is in ${file}` : 'No report could be written.';
	return `crowsnest had to stop: ${message}\n${where}\n`;
}
