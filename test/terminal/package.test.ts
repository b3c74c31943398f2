import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../scripts/build.js';

const folder = mkdtempSync(join(tmpdir(), 'crowsnest-package-'));
const program = join('package', 'dist', 'crowsnest.cjs');
const inherited = { PATH: process.env['PATH'], HOME: folder };
const run = (file: string, ...words: string[]) =>
	execFileSync(file, words, { cwd: folder, env: inherited, encoding: 'utf8' });

beforeAll(() => {
	run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder, root);
	const [archive = ''] = readdirSync(folder).filter(name => name.endsWith('.tgz'));
	run('tar', '-xzf', archive);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package contains one program and the licences, and has no dependencies', () => {
	const files = readdirSync(join(folder, 'package'), { recursive: true, withFileTypes: true })
		.filter(entry => entry.isFile())
		.map(({ parentPath, name }) => relative(join(folder, 'package'), join(parentPath, name)));
	expect(files.toSorted()).toEqual([
		'LICENSE',
		'README.md',
		'dist/THIRD-PARTY-NOTICES.txt',
		'dist/crowsnest.cjs',
		'package.json',
	]);
	const packed: unknown = JSON.parse(readFileSync(join(folder, 'package', 'package.json'), 'utf8'));
	expect(packed).not.toHaveProperty('dependencies');
});

test('the package runs where nothing else is installed', () => {
	expect(run(process.execPath, program, '--version')).toMatch(/^crowsnest \d+\.\d+\.\d+\n$/);
	const fleet = run(process.execPath, program, '--demo', '--computers', '3');
	expect(fleet).toContain('atlas');
});

test('the packed program prints the packed licences', () => {
	const licences = run(process.execPath, program, 'licences');
	const notices = join(folder, 'package', 'dist', 'THIRD-PARTY-NOTICES.txt');
	expect(licences).toBe(readFileSync(notices, 'utf8'));
	expect(licences).toContain('Permission is hereby granted');
});
