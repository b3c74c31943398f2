import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const documents = [
	...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
	...readdirSync(join(root, 'docs'))
		.filter(name => name.endsWith('.md'))
		.map(name => `docs/${name}`),
].map(name => ({ name, text: readFileSync(join(root, name), 'utf8') }));

test('every path that the documents name exists', () => {
	const paths = documents.flatMap(({ name, text }) =>
		[...text.matchAll(/`((?:source|test|scripts|replacements|docs)\/[\w./-]*)`/g)].map(match => ({
			name,
			path: match[1] ?? '',
		})),
	);
	expect(paths.length).toBeGreaterThan(10);
	expect(paths.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});

test('every link from one document to another leads to a file that exists', () => {
	const links = documents.flatMap(({ name, text }) =>
		[...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(match => ({ name, to: match[1] ?? '' })),
	);
	expect(links.length).toBeGreaterThan(3);
	expect(links.filter(({ name, to }) => !existsSync(join(root, dirname(name), to)))).toEqual([]);
});

test('every link to a section leads to a heading that exists', () => {
	const anchorsOf = (text: string) =>
		Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
			title
				.toLowerCase()
				.replace(/[^\p{L}\p{N} -]/gu, '')
				.replaceAll(' ', '-'),
		);
	const links = documents.flatMap(({ name, text }) =>
		[...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].map(([, to = '', anchor = '']) => ({
			name,
			to: to === '' ? name : join(dirname(name), to),
			anchor,
		})),
	);
	expect(links.length).toBeGreaterThan(3);
	const lost = links.filter(
		({ to, anchor }) => !anchorsOf(readFileSync(join(root, to), 'utf8')).includes(anchor),
	);
	expect(lost).toEqual([]);
});

test('every npm script that the documents name exists', () => {
	const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const named = documents.flatMap(({ text }) =>
		[...text.matchAll(/npm run ([\w:]+)/g)].map(match => match[1] ?? ''),
	);
	expect(named.length).toBeGreaterThan(5);
	expect(named.filter(name => !(name in scripts))).toEqual([]);
});
