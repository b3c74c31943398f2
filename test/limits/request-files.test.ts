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

test('processes that append to one file see the lines of all, in one order', () => {
	const folder = mkdtempSync(join(tmpdir(), 'limits-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const [one, other] = [openRequestFiles(folder), openRequestFiles(folder)];
	const read = (from: number) => [one, other].map(files => files.read('requests', from)?.text);
	expect(read(0)).toEqual([undefined, undefined]);
	one.append('requests', 'first\n', false);
	other.append('requests', 'second\n', true);
	one.append('requests', 'third\n', false);
	expect(read(0)).toEqual(['first\nsecond\nthird\n', 'first\nsecond\nthird\n']);
	expect(read(6)).toEqual(['second\nthird\n', 'second\nthird\n']);
	one.remove('requests');
	expect(other.names()).toEqual([]);
});
