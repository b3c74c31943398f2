import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Records what the program writes to the file of its terminal at exit, past the stream. */
export function recordDirectWrites() {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-writes-'));
	const path = join(folder, 'written');
	const fd = openSync(path, 'a');
	onTestFinished(() => {
		closeSync(fd);
		rmSync(folder, { recursive: true });
	});
	return { fd, text: () => readFileSync(path, 'utf8') };
}
