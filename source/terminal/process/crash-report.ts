import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { makeFolder } from '../../foundation/make-folder.ts';
import { cleanForTerminal } from '../features/escape-sequences.ts';

type Crash = { folder: string; crashedAt: number; programInfo: string; error: unknown };

export function reportCrash({ folder, crashedAt, programInfo, error }: Crash): string {
	const message = cleanForTerminal(error instanceof Error ? error.message : String(error));
	const time = new Date(crashedAt).toISOString();
	const file = join(folder, `crash-${time.replace(/[:.]/g, '-')}.txt`);
	let where = `The crash report is in ${file}`;
	try {
		makeFolder(folder);
		const report = `${time}\n${programInfo}\n\n${inspect(error, { depth: 5 })}\n`;
		writeFileSync(file, report, { mode: 0o600 });
	} catch {
		where = 'No crash report could be written.';
	}
	return `crowsnest stopped because of a bug: ${message}\n${where}\n`;
}
