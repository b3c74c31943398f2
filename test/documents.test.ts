import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const textOf = (name: string) => readFileSync(join(root, name), 'utf8');
const exists = (name: string) => existsSync(join(root, name));

const files = ['scripts', 'replacements', 'docs', '.']
	.flatMap(folder =>
		readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map(name =>
			join(folder, name),
		),
	)
	.filter(name => /\.(js|md|json|ts)$/.test(name));
const documents = files.filter(name =>
	/^(README|CONTRIBUTING|CHANGELOG|docs\/[^/]+)\.md$/.test(name),
);

/** Fails unless more than so many places of these files match, and what each of them names is there. */
function expectAll(
	names: readonly string[],
	pattern: RegExp,
	count: number,
	isThere: (found: string, name: string) => boolean,
) {
	const found = names.flatMap(name =>
		Array.from(textOf(name).matchAll(pattern), ([, found = '']) => ({ name, found })),
	);
	expect(found.length).toBeGreaterThan(count);
	expect(found.filter(({ name, found }) => !isThere(found, name))).toEqual([]);
}

test('every path that the documents name exists', () => {
	expectAll(documents, /`((?:source|test|scripts|replacements|docs)\/[\w./-]*)`/g, 10, exists);
});

test('the scripts, settings and documents name only source files that exist', () => {
	expectAll(files, /\b(source\/[\w./-]+\.tsx?)\b/g, 10, exists);
});

test('every link from one document to another leads to a file that exists', () => {
	const link = /\]\((?!https?:|#)([^)#]+)/g;
	expectAll(documents, link, 3, (to, name) => exists(join(dirname(name), to)));
});

test('every link to a section leads to a heading that exists', () => {
	const anchorsOf = (text: string) =>
		Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
			title
				.toLowerCase()
				.replace(/[^\p{L}\p{N} -]/gu, '')
				.replaceAll(' ', '-'),
		);
	expectAll(documents, /\]\((?!https?:)([^)#]*#[^)]+)\)/g, 3, (link, name) => {
		const [to = '', anchor = ''] = link.split('#');
		return anchorsOf(textOf(to === '' ? name : join(dirname(name), to))).includes(anchor);
	});
});

test('every npm script that the documents name exists', () => {
	const { scripts } = JSON.parse(textOf('package.json'));
	expectAll(documents, /npm run ([\w:]+)/g, 5, name => name in scripts);
});
