import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The path of a state directory for one test, which does not exist yet. */
export async function stateDirectory(): Promise<string> {
	const parent = await mkdtemp(join(tmpdir(), 'crowsnest-journal-'));
	onTestFinished(() => rm(parent, { recursive: true, force: true }));
	return join(parent, 'state');
}
