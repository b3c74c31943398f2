import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from '../../scripts/build.js';

const folder = mkdtempSync(join(tmpdir(), 'crowsnest-package-'));
const program = join('package', 'dist', 'crowsnest.cjs');
const inherited = {
	PATH: process.env['PATH'],
	HOME: folder,
	LANG: 'C.UTF-8',
	XDG_CACHE_HOME: inject('caches').program,
};
const run = (file: string, ...words: string[]) =>
	execFileSync(file, words, { cwd: folder, env: inherited, encoding: 'utf8' });

const packed = (path: string) => readFileSync(join(folder, 'package', path), 'utf8');

beforeAll(() => {
	run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder, root);
	const [archive = ''] = readdirSync(folder).filter(name => name.endsWith('.tgz'));
	run('tar', '-xzf', archive);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package contains one program, its changes and the licences, and has no dependencies', () => {
	const files = readdirSync(join(folder, 'package'), { recursive: true, withFileTypes: true })
		.filter(entry => entry.isFile())
		.map(({ parentPath, name }) => relative(join(folder, 'package'), join(parentPath, name)));
	expect(files.toSorted()).toEqual([
		'CHANGELOG.md',
		'LICENSE',
		'README.md',
		'dist/THIRD-PARTY-NOTICES.txt',
		'dist/crowsnest.cjs',
		'package.json',
	]);
	expect(JSON.parse(packed('package.json'))).not.toHaveProperty('dependencies');
});

test('the program of the package prints a plain list into a pipe when no other package is installed', () => {
	const words = [program, '--demo', '--computers', '7'];
	const { stdout: out, stderr } = spawnSync(process.execPath, words, {
		cwd: folder,
		env: inherited,
		encoding: 'utf8',
	});
	expect(stderr).toBe('Demo data: nothing here is real\n');
	expect(out.split('\n')).toHaveLength(9);
	expect(out).toMatch(/^NAME +STATUS/);
	expect(out).toMatch(/\natlas +● Active .+ 1\.4\.2/);
	expect(out).not.toContain('\x1b');
});

test('the short line of status works in the demo, and without any data', () => {
	expect(run(process.execPath, program, 'status', '--demo')).toMatch(/^\d+ active · .* old\n$/);
	expect(() => run(process.execPath, program, 'status')).toThrow();
});

test('the program of the package prints the version and the licences of the package', () => {
	const version = run(process.execPath, program, '--version');
	expect(version).toBe(`crowsnest ${packed('package.json').match(/"version": "(.+)"/)?.[1]}\n`);
	const licences = run(process.execPath, program, 'licences');
	expect(licences).toBe(packed('dist/THIRD-PARTY-NOTICES.txt'));
	expect(licences).toContain('Permission is hereby granted');
	// The file of the program may be copied alone.
	const alone = join(folder, 'alone.cjs');
	copyFileSync(join(folder, program), alone);
	expect(run(process.execPath, alone, 'licences')).toBe(licences);
});
