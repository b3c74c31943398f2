import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/build.js';

function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-package-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

test('the package holds one program, and runs where nothing else is installed', () => {
	const folder = temporaryFolder();
	const inherited = { PATH: process.env['PATH'], HOME: folder };
	const run = (file: string, ...words: string[]) =>
		execFileSync(file, words, { cwd: folder, env: inherited, encoding: 'utf8' });

	run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder, root);
	const [archive = ''] = readdirSync(folder).filter(name => name.endsWith('.tgz'));
	run('tar', '-xzf', archive);
	const files = run('tar', '-tzf', archive).trim().split('\n').toSorted();
	expect(files).toEqual(
		[
			'LICENSE',
			'README.md',
			'dist/THIRD-PARTY-NOTICES.txt',
			'dist/crowsnest.cjs',
			'package.json',
		].map(name => `package/${name}`),
	);

	const packed: unknown = JSON.parse(run('cat', 'package/package.json'));
	expect(packed).not.toHaveProperty('dependencies');
	const program = join('package', 'dist', 'crowsnest.cjs');
	expect(run(process.execPath, program, '--version')).toMatch(/^crowsnest \d+\.\d+\.\d+\n$/);
	const licences = run(process.execPath, program, 'licences');
	expect(licences).toBe(run('cat', 'package/dist/THIRD-PARTY-NOTICES.txt'));
	expect(licences).toContain('Permission is hereby granted');
	const fleet = run(process.execPath, program, '--demo', '--computers', '3');
	expect(fleet).toContain('atlas');
});
