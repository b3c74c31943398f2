import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

// Each room and the rooms it may import, besides itself. A room only ever imports rooms below it, and a
// folder within a room is a room of its own. What else a room may not touch (libraries, globals, circles of
// imports) is held by the linter: see biome.json.
const allowed: Record<string, readonly string[]> = {
	'main.ts': ['commands', 'fleet'],
	commands: [
		'views/spoken',
		'views',
		'keys',
		'terminal',
		'operations',
		'watch',
		'journal',
		'store',
		'platform',
		'pace',
		'accounts',
		'fleet',
		'simulator',
	],
	'views/spoken': ['views', 'keys', 'operations', 'store', 'fleet'],
	views: ['keys', 'terminal', 'operations', 'store', 'fleet'],
	keys: ['operations', 'store', 'fleet'],
	terminal: ['fleet'],
	operations: ['store', 'platform', 'pace', 'fleet'],
	watch: ['store', 'platform', 'pace', 'fleet'],
	journal: ['store', 'accounts', 'fleet'],
	store: ['fleet'],
	platform: ['pace', 'fleet'],
	pace: ['fleet'],
	accounts: ['fleet'],
	fleet: [],
	simulator: [],
};

const source = resolve(import.meta.dirname, '../source');

/** The folder of a file; a file that lies in no folder is a room by itself. */
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

test('every room is in the table', () => {
	expect(offenders(({ room }) => (room in allowed ? [] : [room]))).toEqual([]);
	expect(files.length).toBeGreaterThan(10);
});

test('rooms import only the rooms below them', () => {
	const wrong = offenders(file =>
		importedBy(file)
			.filter(imported => imported.startsWith('.'))
			.map(imported => roomOf(file, imported))
			.filter(room => room !== file.room && !allowed[file.room]?.includes(room)),
	);
	expect(wrong).toEqual([]);
});

test('the table itself only points down', () => {
	const order = Object.keys(allowed);
	for (const [room, others] of Object.entries(allowed)) {
		for (const other of others) {
			expect(order.indexOf(other), `${room} → ${other}`).toBeGreaterThan(order.indexOf(room));
		}
	}
});

test('files stay short enough to be read in one sitting, and their names say what they hold', () => {
	const long = offenders(({ text }) => {
		const lines = text.split('\n').length - 1;
		return lines > 250 ? [`${lines} lines`] : [];
	});
	const nameless = offenders(({ name }) =>
		/(^|\/)(index|utils?|helpers?|common|misc|manager|types)\.tsx?$/.test(name) ? ['name'] : [],
	);
	expect([...long, ...nameless]).toEqual([]);
});
