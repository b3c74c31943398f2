import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRequestFiles } from '../../source/limits/request-files.ts';
import { createHeldLimiter } from './held-limiter.ts';

test('only their owner can read the files of the log', async () => {
	const place = mkdtempSync(join(tmpdir(), 'limits-'));
	onTestFinished(() => rmSync(place, { recursive: true }));
	const folder = join(place, 'state', 'limits');
	const { ask, flush } = createHeldLimiter({ files: openRequestFiles(folder) });
	const asked = ask('other');
	await flush();
	expect(asked.slot).toBeDefined();
	const modeOf = (path: string) => statSync(path).mode & 0o777;
	expect(modeOf(folder)).toBe(0o700);
	expect(readdirSync(folder).map(name => modeOf(join(folder, name)))).toEqual([0o600]);
});
