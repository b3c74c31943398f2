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
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { buildProgram, root } from '../../scripts/build.js';
import { specialPlaces } from '../special-places.ts';

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

describe('the launcher', () => {
	let folder: string;
	let cache: string;
	/** A cache that holds the compiled code of one start. */
	let filled: string;

	// The program is large enough that damage in the middle of V8's data hits its code.
	const functions = Array.from(
		{ length: 400 },
		(_, place) => `out.push((() => [${place}].map(each => each * 2 + ${place})[0])());`,
	);

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'crowsnest-launcher-'));
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
		filled = mkdtempSync(join(folder, 'filled-'));
		expect(run({ XDG_CACHE_HOME: filled })).toBe(printed);
	});
	beforeEach(() => {
		cache = mkdtempSync(join(folder, 'cache-'));
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	const printed = 'b given true 400 */ true\n';

	const environment = (more: Record<string, string>) => ({
		PATH: process.env['PATH'] ?? '',
		HOME: folder,
		XDG_CACHE_HOME: cache,
		...more,
	});

	function run(more: Record<string, string> = {}, file = 'program.cjs'): string {
		return execFileSync(process.execPath, [join(folder, file), 'given'], {
			encoding: 'utf8',
			cwd: folder,
			env: environment(more),
		});
	}

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
			env: environment({}),
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		await once(child.stdout, 'data');
		while (!existsSync(keptFolder()) || !keptFiles().some(name => name.endsWith('.v8')))
			await new Promise(setImmediate);
		child.kill('SIGKILL');
		await once(child, 'exit');
	});

	const change = (damage: (data: Buffer) => Uint8Array) => () =>
		writeFileSync(keptFile(), damage(readFileSync(keptFile())));

	function withBitFlipped(data: Buffer, part: number): Buffer {
		const place = Math.floor(part * (data.length - 1));
		data.writeUInt8(data.readUInt8(place) ^ 4, place);
		return data;
	}

	const isRoot = process.getuid?.() === 0;

	test.each<[string, () => void]>([
		...[0, 0.5, 1].map((part): [string, () => void] => [
			`has a flipped bit at ${part * 100} % of its length`,
			change(data => withBitFlipped(data, part)),
		]),
		[
			'has zeros in its middle',
			change(data => data.fill(0, data.length >> 1, (data.length >> 1) + 4096)),
		],
		['is nothing but zeros', change(data => data.fill(0))],
		['ends in its middle', change(data => data.subarray(0, data.length / 2))],
		['is empty', change(() => Buffer.alloc(0))],
		['can be written by others', () => chmodSync(keptFile(), 0o666)],
		...(isRoot
			? [
					['belongs to another user', () => chownSync(keptFile(), 12_345, 12_345)] as [
						string,
						() => void,
					],
				]
			: []),
		...specialPlaces.map((place, at): [string, () => void] => [
			`is something else than a file (${at + 1})`,
			() => {
				const path = keptFile();
				rmSync(path);
				place(path);
			},
		]),
	])('the program starts, and keeps its code anew, when the cached file %s', (_, damage) => {
		cpSync(filled, cache, { recursive: true });
		const path = keptFile();
		const { size } = statSync(path);
		damage();
		const before = inodeOf(path);
		expect(run()).toBe(printed);
		if (statSync(path).isDirectory()) return;
		// The first test shows that the next start uses such a file.
		expect(inodeOf(path)).not.toBe(before);
		const kept = lstatSync(path);
		expect(kept.size).toBeGreaterThan(0.9 * size);
		expect(kept).toMatchObject({ uid: process.getuid?.() ?? 0 });
		expect(kept.mode & 0o777).toBe(0o600);
	});

	test.each<[string, () => Record<string, string>]>([
		[
			'others can write to the cache folder',
			() => {
				mkdirSync(keptFolder());
				chmodSync(keptFolder(), 0o777);
				return {};
			},
		],
		[
			'the cache folder belongs to another user',
			() => {
				mkdirSync(keptFolder());
				if (isRoot) chownSync(keptFolder(), 12_345, 12_345);
				return isRoot ? {} : { NODE_DISABLE_COMPILE_CACHE: '1' };
			},
		],
		[
			'a file is in the place of the cache folder',
			() => {
				writeFileSync(keptFolder(), '');
				return {};
			},
		],
		['the home folder cannot be written to', () => ({ XDG_CACHE_HOME: '/proc/nowhere' })],
		['the cache is switched off', () => ({ NODE_DISABLE_COMPILE_CACHE: '1' })],
	])('the program starts and keeps nothing when %s', (_, prepare) => {
		const more = prepare();
		expect(run(more)).toBe(printed);
		expect(
			existsSync(keptFolder()) && statSync(keptFolder()).isDirectory() ? keptFiles() : [],
		).toEqual([]);
	});

	test('nothing is left behind where the system allows no larger file, and the program starts', () => {
		const line = `trap '' XFSZ; ulimit -f 0; exec ${process.execPath} ${join(folder, 'program.cjs')} given`;
		const { stdout, status } = spawnSync('sh', ['-c', line], {
			encoding: 'utf8',
			env: environment({}),
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
