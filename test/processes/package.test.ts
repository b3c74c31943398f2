import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
	chmodSync,
	chownSync,
	copyFileSync,
	cpSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmdirSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { buildProgram, root } from '../../scripts/build.js';
import { specialPlaces } from './special-places.ts';

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
	const options = { cwd: folder, env: inherited, encoding: 'utf8' } as const;
	const { stdout: out, stderr } = spawnSync(process.execPath, words, options);
	expect(stderr).toBe('Demo data: nothing here is real\n');
	expect(out.split('\n')).toHaveLength(9);
	expect(out).toMatch(/^NAME +STATUS/);
	expect(out).toMatch(/\natlas +● Active .+ 1\.4\.2/);
	expect(out).not.toContain('\x1b');
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

describe('the launcher', () => {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-launcher-'));
	const printed = 'b given true 400 */ true\n';
	/** A cache that holds the compiled code of one start. */
	const filled = join(folder, 'filled');
	let cache: string;

	// The program is large enough that damage in the middle of V8's data hits its code.
	const functions = Array.from(
		{ length: 400 },
		(_, place) => `out.push((() => [${place}].map(each => each * 2 + ${place})[0])());`,
	);

	beforeAll(async () => {
		const entry = join(folder, 'entry.ts');
		writeFileSync(
			entry,
			`import { basename } from 'node:path';
			const out: number[] = [];
			${functions.join('\n')}
			const isFile = import.meta.url.startsWith('file:');
			console.log(basename('a/b'), process.argv[2], isFile, out.length, '*/', /c*/.test(''));
			if (process.argv[2] === 'wait') setInterval(() => {}, 1000);`,
		);
		writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
		await buildProgram({ entry, outfile: join(folder, 'program.cjs') });
		await buildProgram({ entry, outfile: join(folder, 'long.cjs'), keepAfter: 0 });
		mkdirSync(filled);
		expect(run({ XDG_CACHE_HOME: filled })).toBe(printed);
	});
	beforeEach(() => {
		cache = mkdtempSync(join(folder, 'cache-'));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	const environment = (more: Record<string, string> = {}) => ({
		PATH: process.env['PATH'] ?? '',
		HOME: folder,
		XDG_CACHE_HOME: cache,
		...more,
	});

	const run = (more?: Record<string, string>) =>
		execFileSync(process.execPath, [join(folder, 'program.cjs'), 'given'], {
			encoding: 'utf8',
			cwd: folder,
			env: environment(more),
		});

	const keptFolder = () => join(cache, 'crowsnest');
	const keptFiles = () => readdirSync(keptFolder());
	const keptFile = () => join(keptFolder(), keptFiles()[0] ?? '');
	const inodeOf = (path: string) => lstatSync(path).ino;

	test('a start keeps the compiled code, and the next one uses it', () => {
		cpSync(filled, cache, { recursive: true });
		expect(keptFiles()).toEqual([expect.stringMatching(/^given-v.*\.v8$/)]);
		const before = inodeOf(keptFile());
		expect(run()).toBe(printed);
		// A start that cannot use the file replaces it.
		expect(inodeOf(keptFile())).toBe(before);
	});

	test('a program that runs on keeps the compiled code before it ends', async () => {
		const child = spawn(process.execPath, [join(folder, 'long.cjs'), 'wait'], {
			env: environment(),
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		await once(child.stdout, 'data');
		while (!existsSync(keptFolder()) || !keptFiles().some(name => name.endsWith('.v8')))
			await new Promise(setImmediate);
		child.kill('SIGKILL');
		await once(child, 'exit');
	});

	const change = (damage: (data: Buffer) => Uint8Array) => (path: string) =>
		writeFileSync(path, damage(readFileSync(path)));

	const flipBit = (part: number) =>
		change(data => {
			const place = Math.floor(part * (data.length - 1));
			data.writeUInt8(data.readUInt8(place) ^ 4, place);
			return data;
		});

	type Preparation = [when: string, prepare: (path: string) => void, env?: Record<string, string>];

	const giveAway = (path: string) => chownSync(path, 12_345, 12_345);
	/** Only root can give a file away. */
	const possible = (all: readonly Preparation[]) =>
		all.filter(([, prepare]) => process.getuid?.() === 0 || prepare !== giveAway);

	const damages = possible([
		['has a flipped bit at its start', flipBit(0)],
		['has a flipped bit in its middle', flipBit(0.5)],
		['has a flipped bit at its end', flipBit(1)],
		['ends in its middle', change(data => data.subarray(0, data.length / 2))],
		['is empty', change(() => Buffer.alloc(0))],
		['can be written by others', path => chmodSync(path, 0o666)],
		['belongs to another user', giveAway],
		...specialPlaces.map(({ name, place }): Preparation => [`is a ${name}`, place]),
	]);

	test.each(damages)(
		'the program starts, and keeps its code anew, when the cached file %s',
		(_, damage) => {
			cpSync(filled, cache, { recursive: true });
			const path = keptFile();
			const { size } = statSync(path);
			damage(path);
			const before = inodeOf(path);
			expect(run()).toBe(printed);
			if (statSync(path).isDirectory()) return;
			// The first test shows that the next start uses such a file.
			expect(inodeOf(path)).not.toBe(before);
			const kept = lstatSync(path);
			expect(kept.size).toBeGreaterThan(0.9 * size);
			expect(kept).toMatchObject({ uid: process.getuid?.() ?? 0 });
			expect(kept.mode & 0o777).toBe(0o600);
		},
	);

	const obstacles = possible([
		['others can write to the cache folder', path => chmodSync(path, 0o777)],
		['the cache folder belongs to another user', giveAway],
		[
			'a file is in the place of the cache folder',
			path => {
				rmdirSync(path);
				writeFileSync(path, '');
			},
		],
		['the home folder cannot be written to', rmdirSync, { XDG_CACHE_HOME: '/proc/nowhere' }],
		['the cache is switched off', rmdirSync, { NODE_DISABLE_COMPILE_CACHE: '1' }],
	]);

	test.each(obstacles)('the program starts and keeps nothing when %s', (_, prepare, more) => {
		mkdirSync(keptFolder());
		prepare(keptFolder());
		expect(run(more)).toBe(printed);
		const isFolder = existsSync(keptFolder()) && statSync(keptFolder()).isDirectory();
		expect(isFolder ? keptFiles() : []).toEqual([]);
	});

	test('nothing is left behind where the system allows no larger file, and the program starts', () => {
		const line = `trap '' XFSZ; ulimit -f 0; exec ${process.execPath} ${join(folder, 'program.cjs')} given`;
		const { stdout, status } = spawnSync('sh', ['-c', line], {
			encoding: 'utf8',
			env: environment(),
		});
		expect({ stdout, status }).toEqual({ stdout: printed, status: 0 });
		expect(keptFiles()).toEqual([]);
	});

	test('a start replaces the draft of a process that was killed while writing, and removes files that are a month old', () => {
		cpSync(filled, cache, { recursive: true });
		const path = keptFile();
		rmSync(path);
		writeFileSync(`${path}.draft`, 'half');
		const old = join(keptFolder(), 'list-v20.0.0-x64-1234.v8');
		writeFileSync(old, '');
		utimesSync(old, 1_000, 1_000);
		expect(run()).toBe(printed);
		expect(keptFiles().map(name => join(keptFolder(), name))).toEqual([path]);
	});

	test('a cache folder whose path is not absolute is ignored', () => {
		run({ XDG_CACHE_HOME: 'relative' });
		expect(existsSync(join(folder, 'relative'))).toBe(false);
		expect(existsSync(join(folder, '.cache', 'crowsnest'))).toBe(true);
	});
});
