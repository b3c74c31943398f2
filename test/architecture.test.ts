import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

// A file imports only from its own room and from rooms further down. The linter forbids libraries, globals and circular
// imports: see biome.json.
const rooms = `main.ts cli monitor script views session operations sharing
	watch journal store platform limits accounts terminal simulator fleet
	lines foundation`.split(/\s+/);

const source = resolve(import.meta.dirname, '../source');

const roomOf = (path: string) => rooms.indexOf(relative(source, path).split('/')[0] ?? '');

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
