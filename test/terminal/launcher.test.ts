import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
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
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildProgram } from '../../scripts/build.js';
import { specialPlaces } from '../special-places.ts';

let folder: string;
let cache: string;
/** Creates a cache that holds the compiled code of one start. */
let filled: string;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'crowsnest-launcher-'));
	const entry = join(folder, 'entry.ts');
	// The program is large enough that damage in the middle of V8's cache hits its code.
	const functions = Array.from(
		{ length: 400 },
		(_, place) => `out.push((() => [${place}].map(each => each * 2 + ${place})[0])());`,
	);
	writeFileSync(
		entry,
		`import { basename } from 'node:path';
		const { sep } = await import('node:path');
		const out: number[] = [];
		${functions.join('\n')}
		const isFile = import.meta.url.startsWith('file:');
		console.log(basename('a' + sep + 'b'), process.argv[2], isFile, out.length);
		if (process.argv[2] === 'monitor') await import('node:http');
		if (process.argv[2] === 'fill') {
			const { getHeapSpaceStatistics } = await import('node:v8');
			const kept = Array.from({ length: 300_000 }, (_, at) => ({ at }));
			const young = getHeapSpaceStatistics().find(space => space.space_name === 'new_space');
			console.log(kept.length, young?.space_size);
		}
		if (process.argv[3] === 'room') {
			const { getHeapSpaceStatistics } = await import('node:v8');
			// The launcher's timers are due.
			await new Promise(resolve => setTimeout(resolve, 10));
			const isShort = () => {
				const young = getHeapSpaceStatistics().find(space => space.space_name === 'new_space')!;
				return young.space_available_size < 0.3 * (young.space_used_size + young.space_available_size);
			};
			let some: unknown[] = [];
			const fill = () => {
				while (!isShort()) some = Array.from({ length: 100 }, (_, at) => ({ at }));
			};
			const shortAfter = Array.from({ length: 20 }, () => {
				fill();
				makeRoomForKey();
				return isShort();
			});
			console.log('short', shortAfter.filter(Boolean).length, 'of', shortAfter.length, some.length);
		}
		await new Promise(resolve => setTimeout(resolve));`,
	);
	// Prints the flags that the launcher sets. V8 itself does not say which are set.
	writeFileSync(
		join(folder, 'print-flags.cjs'),
		`const v8 = require('node:v8');
		const { setFlagsFromString } = v8;
		v8.setFlagsFromString = flags => {
			console.log(flags);
			setFlagsFromString(flags);
		};`,
	);
	writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
	await Promise.all([
		buildProgram({ entry, outfile: join(folder, 'program.cjs') }),
		buildProgram({ entry, outfile: join(folder, 'long.cjs'), keepAfter: 0 }),
		buildProgram({ entry, outfile: join(folder, 'thrifty.cjs'), thriftyAfter: 0 }),
	]);
	filled = mkdtempSync(join(folder, 'filled-'));
	expect(run({ XDG_CACHE_HOME: filled })).toBe(printed);
});
beforeEach(() => {
	cache = mkdtempSync(join(folder, 'cache-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const printed = 'b given true 400\n';

function run(env: Record<string, string> = {}, words = 'given', file = 'program.cjs'): string {
	return runNode([join(folder, file), ...words.split(' ')], env);
}

function runNode(words: readonly string[], env: Record<string, string> = {}): string {
	return execFileSync(process.execPath, words, {
		encoding: 'utf8',
		cwd: folder,
		env: { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CACHE_HOME: cache, ...env },
	});
}

const keptFiles = () => readdirSync(join(cache, 'crowsnest'));
const kept = () => keptFiles().filter(name => name.endsWith('.v8'));

test('the launcher caches compiled code and uses it at the next start', () => {
	cpSync(filled, cache, { recursive: true });
	const [name = ''] = kept();
	const file = () => statSync(join(cache, 'crowsnest', name)).ino;
	const before = file();
	expect(run()).toBe(printed);
	expect(kept()).toEqual([name]);
	// If the start could not use the file, it would replace the file.
	expect(file()).toBe(before);
});

test('the next start uses the code that the previous run compiled, even if that run took measures to save memory', () => {
	run({}, 'monitor', 'long.cjs');
	const [name = ''] = kept();
	expect(name).toMatch(/-monitor\.v8$/);
	// If the start could not use the cache, it would write a new one.
	run({}, 'monitor', 'long.cjs');
	expect(kept()).toEqual([name]);
});

test('a start uses the code of a brief run that took measures to save memory', () => {
	run({}, 'monitor', 'thrifty.cjs');
	const [name = ''] = kept();
	expect(name).toMatch(/-monitor-brief\.v8$/);
	const file = () => statSync(join(cache, 'crowsnest', name)).ino;
	const before = file();
	// If the start could not use the file, it would replace the file.
	run({}, 'monitor', 'thrifty.cjs');
	expect(file()).toBe(before);
});

// When V8 has finished a collection depends on the other programs of the machine, so the test looks at the flags.
test('V8 is set to collect garbage early when the monitor has started, and not before', () => {
	const preload = ['--require', join(folder, 'print-flags.cjs')];
	const isEarlyIn = (file: string) => {
		const printedFlags = runNode([...preload, join(folder, file), 'monitor']);
		const triggers = [...printedFlags.matchAll(/--incremental-marking-soft-trigger=(\d+)/g)];
		return triggers.at(-1)?.[1] === '40';
	};
	expect(isEarlyIn('long.cjs')).toBe(true);
	expect(isEarlyIn('thrifty.cjs')).toBe(false);
});

test('the young generation stays at one megabyte while a program starts, whatever the program creates', () => {
	// V8 may count the other half, into which it copies what is still in use, as well.
	expect(Number(/300000 (\d+)/.exec(run({}, 'fill'))?.[1])).toBeLessThanOrEqual(2 * 1024 * 1024);
});

test('a monitor that asks for room for the next key has at least 30 percent of its young generation free afterwards', () => {
	expect(run({}, 'monitor room', 'long.cjs')).toContain('short 0 of 20');
	// The room is made with an option of V8, after which the cached code must still fit.
	const [name = ''] = kept();
	const file = () => statSync(join(cache, 'crowsnest', name)).ino;
	const before = file();
	run({}, 'monitor room', 'long.cjs');
	expect(kept()).toEqual([name]);
	expect(file()).toBe(before);
});

test('the launcher removes the cache of another build', () => {
	mkdirSync(join(cache, 'crowsnest'), { mode: 0o700 });
	const others = ['another-v20.0.0-x64.v8', 'another-whole.program'];
	for (const other of others) writeFileSync(join(cache, 'crowsnest', other), '');
	run();
	expect(keptFiles()).toHaveLength(2);
	for (const other of others) expect(keptFiles()).not.toContain(other);
});

const endings = ['.v8', '.program'];
const damages = [
	[
		'zeros in its middle',
		(data: Buffer) => data.fill(0, data.length >> 1, (data.length >> 1) + 4096),
	],
	['nothing but zeros', (data: Buffer) => data.fill(0)],
	['an end that was cut off', (data: Buffer) => data.subarray(0, data.length / 2)],
	['nothing in it', () => Buffer.alloc(0)],
] as const;

test.each(
	endings.flatMap(ending => damages.map(([what, damage]) => [ending, what, damage] as const)),
)('the launcher ignores and replaces a cached %s file with %s', (ending, _, damage) => {
	cpSync(filled, cache, { recursive: true });
	const name = keptFiles().find(each => each.endsWith(ending)) ?? '';
	const path = join(cache, 'crowsnest', name);
	const damaged = Buffer.from(damage(readFileSync(path)));
	writeFileSync(path, damaged);
	expect(run()).toBe(printed);
	expect(readFileSync(path).equals(damaged)).toBe(false);
});

test('the launcher runs the program of its own file, and not one that another user could have written', () => {
	cpSync(filled, cache, { recursive: true });
	const name = keptFiles().find(each => each.endsWith('.program')) ?? '';
	const path = join(cache, 'crowsnest', name);
	chmodSync(path, 0o666);
	writeFileSync(path, withChecksum(`(async()=>console.log('another'))`));
	expect(run()).toBe(printed);
	chmodSync(path, 0o600);
	writeFileSync(path, withChecksum(`(async()=>console.log('mine'))`));
	expect(run()).toBe('mine\n');
});

/** Writes a text as the launcher keeps it. */
function withChecksum(text: string): Buffer {
	const header = Buffer.alloc(8);
	header.writeUInt32LE(crc32(text));
	return Buffer.concat([header, Buffer.from(text)]);
}

test('the launcher writes no cache into a folder that others can write to, or when the cache is switched off', () => {
	mkdirSync(join(cache, 'crowsnest'));
	chmodSync(join(cache, 'crowsnest'), 0o777);
	expect(run()).toBe(printed);
	expect(kept()).toEqual([]);
	chmodSync(join(cache, 'crowsnest'), 0o700);
	run({ NODE_DISABLE_COMPILE_CACHE: '1' });
	expect(kept()).toEqual([]);
});

test('the program starts when its home folder cannot be written to', () => {
	expect(run({ XDG_CACHE_HOME: '/proc/nowhere' })).toBe(printed);
});

test('the launcher ignores a cache folder whose path is not absolute', () => {
	run({ XDG_CACHE_HOME: 'relative' });
	expect(existsSync(join(folder, 'relative'))).toBe(false);
	expect(existsSync(join(folder, '.cache', 'crowsnest'))).toBe(true);
});

test.each(['.v8', '.program'])(
	'the program starts with a pipe, a folder, a link or a giant file in the place of the cached %s file',
	ending => {
		for (const place of specialPlaces) {
			const home = mkdtempSync(join(folder, 'special-'));
			cpSync(filled, home, { recursive: true });
			const files = join(home, 'crowsnest');
			const name = readdirSync(files).find(each => each.endsWith(ending)) ?? '';
			rmSync(join(files, name));
			place(join(files, name));
			expect(run({ XDG_CACHE_HOME: home })).toBe(printed);
		}
	},
);

test('the launcher leaves no unfinished file behind, and removes those of killed processes', () => {
	cpSync(filled, cache, { recursive: true });
	const [name = ''] = kept();
	const path = join(cache, 'crowsnest', name);
	rmSync(path);
	// The finished file cannot get its name.
	mkdirSync(join(path, 'inside'), { recursive: true });
	const [old, fresh] = [`${path}.1`, `${path}.2`];
	for (const leftover of [old, fresh]) writeFileSync(leftover, 'half');
	utimesSync(old, 1_000, 1_000);
	expect(run()).toBe(printed);
	expect(keptFiles().filter(each => /\.\d+$/.test(each))).toEqual([`${name}.2`]);
});
