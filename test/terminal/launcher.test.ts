import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildProgram } from '../../scripts/build.js';

let folder: string;
let cache: string;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'crowsnest-launcher-'));
	const entry = join(folder, 'entry.ts');
	writeFileSync(
		entry,
		`import { basename } from 'node:path';
		const { sep } = await import('node:path');
		console.log(basename('a' + sep + 'b'), process.argv[2], import.meta.url.startsWith('file:'));
		await new Promise(resolve => setTimeout(resolve));`,
	);
	writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
	await Promise.all([
		buildProgram({ entry, outfile: join(folder, 'program.cjs') }),
		buildProgram({ entry, outfile: join(folder, 'long.cjs'), keepAfter: 0 }),
	]);
});
beforeEach(() => {
	cache = mkdtempSync(join(folder, 'cache-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(env: Record<string, string> = {}, command = 'given', file = 'program.cjs'): string {
	return execFileSync(process.execPath, [join(folder, file), command], {
		encoding: 'utf8',
		env: { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: cache, ...env },
	});
}

const kept = () => readdirSync(join(cache, 'crowsnest')).filter(name => name.endsWith('.v8'));

test('keeps compiled code and finds it the next time', () => {
	expect(run()).toBe('b given true\n');
	expect(kept().length).toBe(1);
	expect(run()).toBe('b given true\n');
	expect(kept().length).toBe(1);
});

test('the next start uses what a long run compiled, even if that run saved memory', () => {
	run({}, 'monitor', 'long.cjs');
	const [name = ''] = kept();
	expect(name).toMatch(/-monitor\.v8$/);
	// A start that could not use the cache would write another one.
	run({}, 'monitor', 'long.cjs');
	expect(kept()).toEqual([name]);
});

test('removes the cache of another build', () => {
	mkdirSync(join(cache, 'crowsnest'), { mode: 0o700 });
	writeFileSync(join(cache, 'crowsnest', 'another-v20.0.0-x64.v8'), '');
	run();
	expect(kept()).not.toContain('another-v20.0.0-x64.v8');
});

test('ignores and replaces a broken cache', () => {
	run();
	const [name = ''] = kept();
	writeFileSync(join(cache, 'crowsnest', name), 'broken', { mode: 0o600 });
	expect(run()).toBe('b given true\n');
});

test('keeps no cache where others can write, or where it is switched off', () => {
	mkdirSync(join(cache, 'crowsnest'));
	chmodSync(join(cache, 'crowsnest'), 0o777);
	expect(run()).toBe('b given true\n');
	expect(kept()).toEqual([]);
	chmodSync(join(cache, 'crowsnest'), 0o700);
	run({ NODE_DISABLE_COMPILE_CACHE: '1' });
	expect(kept()).toEqual([]);
});

test('starts with a home that cannot be written to', () => {
	expect(run({ XDG_CACHE_HOME: '/proc/nowhere' })).toBe('b given true\n');
});
