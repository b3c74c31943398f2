import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
	controlText,
	debianPackage,
	dependenciesOf,
	filesOf,
	policyViolationsOf,
} from '../scripts/packages/debian.js';

const version = '1.2.3-1';
const maintainer = 'The authors <authors@example.com>';
const seconds = Date.UTC(2026, 10, 21) / 1000;

const files = filesOf({
	executable: Buffer.from('\x7fELF of the program'),
	manual: '.TH CROWSNEST 1\n',
	completions: { bash: 'complete', zsh: '#compdef', fish: 'complete -c' },
	licence: 'The licences',
	changelog: '# Changelog',
	...{ version, maintainer, seconds },
});

const control = controlText({
	...{ version, architecture: 'amd64', maintainer, files },
	dependencies: ['libc6 (>= 2.28)', 'libgcc-s1'],
	description: 'Terminal monitor for a fleet',
});

/** Reads the members of an ar archive, as Debian's tools do. */
function membersOf(archive: Buffer): ReadonlyMap<string, Buffer> {
	expect(archive.toString('latin1', 0, 8)).toBe('!<arch>\n');
	const members = new Map<string, Buffer>();
	for (let at = 8; at < archive.length; ) {
		const header = archive.toString('latin1', at, at + 60);
		const size = Number(header.slice(48, 58));
		expect(header.slice(58)).toBe('`\n');
		members.set(header.slice(0, 16).trim(), archive.subarray(at + 60, at + 60 + size));
		at += 60 + size + (size % 2);
	}
	return members;
}

type Entry = { mode: number; time: number; type: string; owner: string; data: string };

/** Reads the entries of a tar archive, and checks the checksum of each. */
function entriesOf(archive: Buffer): ReadonlyMap<string, Entry> {
	const entries = new Map<string, Entry>();
	expect(archive.length % 512).toBe(0);
	for (let at = 0; archive[at] !== 0; ) {
		const header = Buffer.from(archive.subarray(at, at + 512));
		const text = (from: number, to: number) =>
			header.toString('utf8', from, to).split('\0')[0] ?? '';
		const checksum = Number.parseInt(text(148, 156), 8);
		header.fill(' ', 148, 156);
		expect(header.reduce((sum, byte) => sum + byte, 0)).toBe(checksum);
		const size = Number.parseInt(text(124, 136), 8);
		entries.set(text(0, 100), {
			mode: Number.parseInt(text(100, 108), 8),
			time: Number.parseInt(text(136, 148), 8),
			type: text(156, 157),
			owner: text(265, 297),
			data: archive.toString('latin1', at + 512, at + 512 + size),
		});
		at += 512 + Math.ceil(size / 512) * 512;
	}
	return entries;
}

test('a Debian package has its three members, each file at its place, and the checksum of each file', () => {
	const members = membersOf(debianPackage({ control, files, seconds }));
	expect([...members.keys()]).toEqual(['debian-binary', 'control.tar.gz', 'data.tar.gz']);
	expect(String(members.get('debian-binary'))).toBe('2.0\n');
	const tarIn = (name: string) => entriesOf(gunzipSync(members.get(name) ?? ''));
	const data = tarIn('data.tar.gz');
	expect(data.get('./usr/bin/crowsnest')).toEqual({
		...{ mode: 0o755, time: seconds, type: '0', owner: 'root' },
		data: '\x7fELF of the program',
	});
	expect(data.get('./usr/share/')).toMatchObject({ mode: 0o755, type: '5' });
	const info = tarIn('control.tar.gz');
	expect(info.get('./control')?.data).toBe(control);
	const sums = (info.get('./md5sums')?.data ?? '').trimEnd().split('\n');
	expect(sums).toHaveLength(files.length);
	for (const sum of sums) {
		const [hash, path] = sum.split('  ');
		const content = Buffer.from(data.get(`./${path}`)?.data ?? '', 'latin1');
		expect(createHash('md5').update(content).digest('hex'), path).toBe(hash);
	}
});

test('every file and folder of a package has the given time, so that the same files make the same package', () => {
	const members = membersOf(debianPackage({ control, files, seconds }));
	const entries = entriesOf(gunzipSync(members.get('data.tar.gz') ?? ''));
	expect(entries.size).toBeGreaterThan(files.length);
	expect(new Set([...entries.values()].map(({ time }) => time))).toEqual(new Set([seconds]));
});

test('a package depends on the versions of the libraries whose symbols the executable has', () => {
	const executable = Buffer.from('GLIBC_2.9 GLIBC_2.28 GLIBC_2.3.4 GLIBCXX_3.4.9 GLIBCXX_3.4.21');
	const objects = ['linux-vdso.so.1', '/lib/libm.so.6', '/lib/libstdc++.so.6', '/lib/libc.so.6'];
	expect(dependenciesOf(objects, executable)).toEqual(['libc6 (>= 2.28)', 'libstdc++6 (>= 5)']);
	expect(() => dependenciesOf(['/opt/libnode.so.115'], executable)).toThrow('libnode.so.115');
});

test('a package that breaks a rule of Debian is refused', () => {
	expect(policyViolationsOf({ control, files })).toEqual([]);
	const wrong = control.replace('1.2.3-1', '1.2.3').replace(/Section.*\n/, '');
	const writable = files.map(file => ({ ...file, mode: 0o777 }));
	const [first, ...others] = files;
	expect(policyViolationsOf({ control: wrong, files })).toEqual([
		'The field Section is missing',
		"The version is not Debian's",
	]);
	expect(policyViolationsOf({ control, files: writable })).toHaveLength(files.length);
	expect(policyViolationsOf({ control, files: others.slice(0, -1) })).toEqual([
		'The document changelog.Debian.gz is missing',
	]);
	const elsewhere = { path: 'etc/crowsnest.toml', mode: 0o644, data: Buffer.from('') };
	expect(
		policyViolationsOf({ control, files: [...(first ? [first] : []), ...others, elsewhere] }),
	).toEqual(['etc/crowsnest.toml is in the wrong place', 'etc/crowsnest.toml would be a conffile']);
});
