import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram } from '../../scripts/build.js';

let folder: string;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'crowsnest-cache-'));
	// Large enough that damage in the middle of V8's cache hits its code.
	const functions = Array.from(
		{ length: 400 },
		(_, place) => `out.push((() => [${place}].map(each => each * 2 + ${place})[0])());`,
	);
	const lines = ['const out: number[] = [];', ...functions, 'console.log(out.length);'];
	writeFileSync(join(folder, 'entry.ts'), `${lines.join('\n')}\nexport {};\n`);
	writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
	await buildProgram({ entry: join(folder, 'entry.ts'), outfile: join(folder, 'program.cjs') });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(cache: string): string {
	return execFileSync(process.execPath, [join(folder, 'program.cjs'), 'given'], {
		encoding: 'utf8',
		cwd: folder,
		env: { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CACHE_HOME: cache },
	});
}

function keptIn(cache: string): string {
	const [name = 'nothing'] = readdirSync(join(cache, 'crowsnest'));
	return join(cache, 'crowsnest', name);
}

test.each([
	['zeros in its middle', (data: Buffer) => data.fill(0, data.length / 2, data.length / 2 + 4096)],
	['nothing but zeros', (data: Buffer) => data.fill(0)],
	['an end that was cut off', (data: Buffer) => data.subarray(0, data.length / 2)],
])('ignores and replaces a cached file with %s', (_, damage) => {
	const cache = mkdtempSync(join(folder, 'cache-'));
	run(cache);
	const path = keptIn(cache);
	const whole = readFileSync(path);
	const damaged = Buffer.from(damage(Buffer.from(whole)));
	writeFileSync(path, damaged);
	expect(run(cache)).toBe('400\n');
	expect(readFileSync(path).equals(damaged)).toBe(false);
	expect(run(cache)).toBe('400\n');
});

test('a cache folder that is not absolute is ignored', () => {
	run('relative');
	expect(existsSync(join(folder, 'relative'))).toBe(false);
	expect(existsSync(join(folder, '.cache', 'crowsnest'))).toBe(true);
});
