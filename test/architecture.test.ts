import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

// The rooms from which each room may import, besides itself. A room imports only from rooms below it, and a
// nested folder is a room of its own. The linter forbids libraries, globals and circular imports: see biome.json.
const allowed: Record<string, readonly string[]> = {
	'main.ts': ['cli', 'fleet'],
	cli: ['cli/commands', 'shell', 'session', 'operations', 'fleet'],
	'cli/commands': [
		'cli/monitor',
		'cli/doctor',
		'cli/login',
		'cli/manual',
		'cli/completion',
		'monitor',
		'script',
		'session',
		'shell',
		'wording',
		'drawing',
		'keys',
		'operations',
		'recording',
		'journal',
		'store',
		'platform',
		'accounts',
		'terminal',
		'fleet',
		'simulator',
	],
	'cli/monitor': ['cli/login', 'speech', 'monitor', 'script', 'session', 'shell', 'terminal'],
	'cli/doctor': [
		'cli/login',
		'shell',
		'session',
		'journal',
		'platform',
		'pace',
		'accounts',
		'terminal',
		'fleet',
	],
	'cli/login': ['session', 'shell', 'platform', 'accounts', 'fleet'],
	'cli/manual': ['shell', 'accounts', 'fleet'],
	'cli/completion': ['shell'],
	speech: [
		'monitor',
		'session',
		'wording',
		'drawing',
		'keys',
		'screen',
		'operations',
		'store',
		'accounts',
		'terminal',
		'fleet',
	],
	monitor: [
		'views',
		'session',
		'shell',
		'wording',
		'drawing',
		'keys',
		'screen',
		'operations',
		'watch',
		'recording',
		'journal',
		'store',
		'platform',
		'pace',
		'accounts',
		'terminal',
		'fleet',
	],
	script: [
		'session',
		'shell',
		'wording',
		'drawing',
		'screen',
		'operations',
		'watch',
		'recording',
		'journal',
		'store',
		'platform',
		'terminal',
		'fleet',
	],
	shell: ['session', 'wording', 'platform', 'accounts', 'terminal', 'fleet', 'simulator'],
	views: ['wording', 'drawing', 'keys', 'screen', 'operations', 'store', 'terminal', 'fleet'],
	wording: ['drawing', 'keys', 'screen', 'operations', 'store', 'fleet'],
	drawing: ['screen', 'store', 'fleet'],
	keys: ['screen', 'operations', 'terminal', 'fleet'],
	screen: ['store', 'fleet'],
	session: [
		'operations',
		'watch',
		'journal',
		'store',
		'platform',
		'pace',
		'accounts',
		'terminal',
		'fleet',
		'simulator',
	],
	operations: ['store', 'platform', 'pace', 'fleet'],
	watch: ['store', 'platform', 'pace', 'fleet'],
	recording: ['journal', 'store', 'fleet'],
	journal: ['store', 'accounts', 'fleet'],
	store: ['fleet'],
	platform: ['pace', 'fleet'],
	pace: ['fleet'],
	accounts: ['terminal', 'fleet'],
	terminal: ['fleet'],
	simulator: ['fleet'],
	fleet: [],
};

const source = resolve(import.meta.dirname, '../source');

/** Returns the room of a file: its folder, or the file itself if it is directly in `source/`. */
const roomAt = (name: string) => (name.includes('/') ? dirname(name) : name);

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
	.filter(name => /(?<!\.d)\.tsx?$/.test(name))
	.map(name => ({ name, room: roomAt(name), text: readFileSync(resolve(source, name), 'utf8') }));

type File = (typeof files)[number];

const importedBy = ({ text }: File) =>
	[...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g)].map(match => match[1] ?? '');

function roomOf({ name }: File, imported: string) {
	return roomAt(relative(source, resolve(source, dirname(name), imported)));
}

const offenders = (isOffence: (file: File) => readonly string[]) =>
	files.flatMap(file => isOffence(file).map(offence => `${file.name}: ${offence}`));

test('every folder of source is a room in the table', () => {
	expect(offenders(({ room }) => (room in allowed ? [] : [room]))).toEqual([]);
	expect(files.length).toBeGreaterThan(10);
});

test('the files of each room import only from the rooms that the table allows', () => {
	const wrong = offenders(file =>
		importedBy(file)
			.filter(imported => imported.startsWith('.'))
			.map(imported => roomOf(file, imported))
			.filter(room => room !== file.room && !allowed[file.room]?.includes(room)),
	);
	expect(wrong).toEqual([]);
});

test('the table of rooms allows a room to import only rooms listed below it', () => {
	const order = Object.keys(allowed);
	for (const [room, others] of Object.entries(allowed)) {
		for (const other of others) {
			expect(order.indexOf(other), `${room} → ${other}`).toBeGreaterThan(order.indexOf(room));
		}
	}
});

test('no source file has more than 250 lines or a vague name such as utils', () => {
	const long = offenders(({ text }) => {
		const lines = text.split('\n').length - 1;
		return lines > 250 ? [`${lines} lines`] : [];
	});
	const nameless = offenders(({ name }) =>
		/(^|\/)(index|utils?|helpers?|common|misc|manager|types)\.tsx?$/.test(name) ? ['name'] : [],
	);
	expect([...long, ...nameless]).toEqual([]);
});
