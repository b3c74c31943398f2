import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-test-'));
	chmodSync(folder, 0o700);
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** The path of a state directory for one test, which does not exist yet. */
export const stateDirectory = () => join(temporaryFolder(), 'state');
