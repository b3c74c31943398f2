import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

// A file imports only from its own room and from rooms further down. The linter forbids libraries, globals and circular
// imports: see biome.json.
const rooms = `main.ts cli monitor script views session operations sharing
	watch journal store platform limits accounts terminal simulator fleet
	lines foundation`.split(/\s+/);

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'source');

function roomOf(path: string): number {
	const [room = ''] = relative(source, path).split('/');
	return rooms.indexOf(room);
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
	.filter(name => /(?<!\.d)\.tsx?$/.test(name))
	.map(name => ({ path: join(source, name), text: readFileSync(join(source, name), 'utf8') }));

test('a file imports only from its own room and the rooms below it', () => {
	expect(files.filter(({ path }) => roomOf(path) < 0)).toEqual([]);
	const upwards = files.flatMap(({ path, text }) =>
		[...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g)]
			.map(([, imported = '']) => resolve(dirname(path), imported))
			.filter(imported => roomOf(imported) < roomOf(path))
			.map(imported => `${relative(source, path)} → ${relative(source, imported)}`),
	);
	expect(upwards).toEqual([]);
});

test('only what draws the monitor knows Ink and React', () => {
	const users = files.filter(({ text }) => /from '(ink|ink-\S+|react)'/.test(text));
	expect([...new Set(users.map(({ path }) => relative(source, dirname(path))))]).toEqual([
		'monitor/drawn',
	]);
});

test('the scripts, settings and documents name only source files that exist', () => {
	const named = ['scripts', 'replacements', 'docs', '.']
		.flatMap(folder =>
			readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map(name =>
				join(folder, name),
			),
		)
		.filter(name => /\.(js|md|json|ts)$/.test(name))
		.flatMap(name => [
			...readFileSync(join(root, name), 'utf8').matchAll(/\bsource\/[\w./-]+\.tsx?\b/g),
		])
		.map(([path]) => path);
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter(path => !existsSync(join(root, path)))).toEqual([]);
});
