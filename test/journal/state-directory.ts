import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A state directory of its own for one test, which is not there yet. */
export async function stateDirectory(): Promise<string> {
	const parent = await mkdtemp(join(tmpdir(), 'crowsnest-journal-'));
	onTestFinished(() => rm(parent, { recursive: true, force: true }));
	return join(parent, 'state');
}
