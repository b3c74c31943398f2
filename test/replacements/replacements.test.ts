import { EventEmitter } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { build } from 'esbuild';
import fc from 'fast-check';
import type * as ink from 'ink';
import { createElement, type ReactElement } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import type Yoga from 'yoga-layout';
import { replacements } from '../../replacements/all.js';
import {
	aliases,
	buildReplacements,
	createReplacer,
	type Replacement,
} from '../../replacements/plugins.js';
import { root } from '../../scripts/build.js';
import { InkOutput } from '../../source/terminal/output/ink-output.ts';
import { glyphs, styledText } from '../arbitraries/styled-text.ts';
import { frameText } from '../frame-text.ts';
import { runs } from '../runs.ts';
import { originalModule } from './original-module.js';

/** Loads a module of a dependency twice: as installed, and as replaced in the build and the tests. */
async function loadBoth<Module>(path: string): Promise<{ original: Module; replaced: Module }> {
	const [original, replaced]: unknown[] = await Promise.all([
		originalModule(path),
		import(/* @vite-ignore */ `${root}node_modules/${path}`),
	]);
	if (original === replaced) throw new Error(`The tests load ${path} as it is installed.`);
	return { original: original as Module, replaced: replaced as Module };
}

// These tests use all replacements together: they compare Ink as installed with Ink as the program ships it.

const original = (await originalModule('ink/build/index.js')) as typeof ink;
const replaced: typeof ink = await import('ink');

type View = { text: string; wrap: ink.TextProps['wrap'] } | { box: ink.BoxProps; views: View[] };

const { view } = fc.letrec<{ view: View }>(tie => ({
	view: fc.oneof(
		{ depthSize: 'small' },
		fc.record({
			text: styledText({ maxLength: 8, hasLines: true }),
			wrap: fc.constantFrom(
				'wrap',
				'hard',
				'truncate',
				'truncate-middle',
				'truncate-start',
			) as fc.Arbitrary<ink.TextProps['wrap']>,
		}),
		fc.record({
			box: fc.record(
				{
					flexDirection: fc.constantFrom('row', 'column'),
				},
				{ requiredKeys: [] },
			) as fc.Arbitrary<ink.BoxProps>,
			views: fc.array(tie('view'), { maxLength: 4 }),
		}),
	),
}));

function elementOf({ Box, Text }: typeof ink, view: View, key = 0): ReactElement {
	if ('text' in view) return createElement(Text, { key, wrap: view.wrap }, view.text);
	const views = view.views.map((each, at) => elementOf({ ...replaced, Box, Text }, each, at));
	return createElement(Box, { key, ...view.box }, views);
}

/** Returns the lines without styles, and without the spaces at their ends, which Ink does not write. */
function lettersOf(text: string): string[] {
	// The addresses of links are removed first, because Node's function keeps them.
	const plain = stripVTControlCharacters(text.replace(/\u001B\]8;[^\u0007]*\u0007/g, ''));
	return plain.split('\n').map(line => line.trimEnd());
}

const columns = 40;

/** Whether Ink need not shrink anything, which our layout does not do. */
function fits(view: View): boolean {
	const [narrow, wide] = [columns, 400].map(width =>
		original.renderToString(elementOf(original, { box: { width }, views: [view] }), {
			columns: width,
		}),
	);
	return lettersOf(narrow ?? '').join('\n') === lettersOf(wide ?? '').join('\n');
}

/** Returns the view with other texts. Boxes and ways to wrap stay, so that React changes only texts. */
function withTexts(view: View, nextText: () => string): View {
	if ('text' in view) return { ...view, text: nextText() };
	return { ...view, views: view.views.map(each => withTexts(each, nextText)) };
}

test('the replaced Ink draws the same text as the original after each change of a component', () => {
	const change = fc.oneof(
		{
			weight: 3,
			arbitrary: fc.array(styledText({ maxLength: 8, hasLines: true }), { minLength: 1 }),
		},
		{ weight: 1, arbitrary: view },
	);
	const shownBy = (library: typeof ink) => {
		const { stream, written } = streamOf({ columns, rows: 30 });
		const options = { stdout: stream, stderr: stream, patchConsole: false, debug: true };
		const app = library.render(createElement(library.Text, {}, 'first'), options);
		return {
			show(view: View) {
				const outer: View = { box: { width: columns }, views: [view] };
				app.rerender(elementOf(library, outer));
				return written.at(-1) ?? '';
			},
			close: app.unmount,
		};
	};
	let changedTexts = 0;
	fc.assert(
		fc.property(view, fc.array(change, { maxLength: 6 }), (first, changes) => {
			const [ours, inks] = [shownBy(replaced), shownBy(original)];
			let current = first;
			for (const each of [first, ...changes]) {
				if (Array.isArray(each)) {
					changedTexts += 1;
					let next = 0;
					current = withTexts(current, () => each[next++ % each.length] ?? '');
				} else current = each;
				const [drawn, expected] = [ours.show(current), inks.show(current)];
				if (!fits(current)) continue;
				expect(lettersOf(frameText(drawn)).join('\n').trimEnd()).toBe(
					lettersOf(expected).join('\n').trimEnd(),
				);
			}
			ours.close();
			inks.close();
		}),
		runs(40),
	);
	expect(changedTexts).toBeGreaterThan(40);
});

type Size = { columns: number; rows: number };

function streamOf(size: Size) {
	const written: string[] = [];
	const stream = Object.assign(new EventEmitter(), {
		...size,
		isTTY: true,
		write(text: string, done?: () => void) {
			written.push(text);
			done?.();
			return true;
		},
	});
	return { written, stream: stream as unknown as NodeJS.WriteStream };
}

test('rendering and unmounting with the replaced Ink add no handlers for signals or exit', () => {
	const events = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'];
	const listenerCounts = () => events.map(event => process.listenerCount(event));
	const before = listenerCounts();
	const { emit, reallyExit } = process as NodeJS.Process & { reallyExit: unknown };
	const { stream } = streamOf({ columns: 80, rows: 24 });
	const options = { stdout: stream, stderr: stream, patchConsole: false, debug: true };
	const { unmount } = replaced.render(createElement(replaced.Text, {}, 'open'), options);
	expect(listenerCounts()).toEqual(before);
	expect(process).toMatchObject({ emit, reallyExit });
	unmount();
	expect(listenerCounts()).toEqual(before);
});

test('Ink in the tests uses the replaced output and the production build of React', async () => {
	const { default: Output } = await import('../../node_modules/ink/build/output.js');
	expect(Output).toBe(InkOutput);
	// Only the development build of React has `act`.
	expect((await import('react')).act).toBeUndefined();
});

type StringWidth = { default: (text: string) => number };

const stringWidth = await loadBoth<StringWidth>('string-width/index.js');

test('every text is as wide as the package says, with or without styles and links', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				styledText({ maxLength: 8, hasLines: false }),
				fc.string({ unit: glyphs }),
				fc.string(),
			),
			text => {
				expect(stringWidth.replaced.default(text)).toBe(stringWidth.original.default(text));
			},
		),
		runs(2_000),
	);
});

// Boxes in rows and columns are compared above; the pictures of `test/screens` show fixed sizes and dialogs.

const yoga = await loadBoth<{ default: typeof Yoga }>('yoga-layout/dist/src/index.js');

test('a child that is removed takes no place any more', () => {
	const [root, one, other] = [1, 2, 3].map(() => yoga.replaced.default.Node.create());
	for (const [at, child] of [one, other].entries()) {
		child?.setHeight(2);
		if (child) root?.insertChild(child, at);
	}
	root?.calculateLayout(undefined, undefined);
	expect([other?.getComputedTop(), root?.getComputedHeight()]).toEqual([2, 4]);
	if (one) root?.removeChild(one);
	root?.calculateLayout(undefined, undefined);
	expect([other?.getComputedTop(), root?.getComputedHeight()]).toEqual([0, 2]);
});

test('a style that the layout does not know fails', () => {
	const node = yoga.replaced.default.Node.create();
	expect(() => node.setMargin(8, 1)).toThrow('setMargin');
	expect(() => node.setPadding(8, 1)).toThrow('setPadding');
});

test('the replaced layout has the same constants as Yoga', () => {
	const plain = ({ default: layout, ...named }: typeof yoga.original) => ({
		named,
		constants: Object.entries(layout).filter(([, value]) => typeof value === 'number'),
	});
	expect(plain(yoga.replaced)).toEqual(plain(yoga.original));
});

const modules = `${root}node_modules/`;

const files = replacements.flatMap(replacement =>
	Object.keys(replacement.files ?? {}).map(file => ({ file, replacement })),
);

function temporaryFolder(): string {
	const folder = `${mkdtempSync(join(tmpdir(), 'crowsnest-modules-'))}/`;
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return folder;
}

/** Copies the files that a replacement reads into the folder. */
function copyTo(folder: string, { packages, files = {} }: Replacement) {
	const manifests = Object.keys(packages).map(of => `${of}/package.json`);
	for (const file of [...manifests, ...Object.keys(files)]) cpSync(modules + file, folder + file);
}

/** Bundles `source/main.ts` and returns the paths of all files that esbuild read. */
async function inputsOf(plugin: ReturnType<typeof buildReplacements>) {
	const { metafile } = await build({
		entryPoints: [`${root}source/main.ts`],
		absWorkingDir: root,
		bundle: true,
		write: false,
		metafile: true,
		platform: 'node',
		format: 'esm',
		logLevel: 'silent',
		plugins: [plugin],
	});
	return Object.keys(metafile.inputs);
}

test('every replacement changes the files that it names', () => {
	const replacedAt = createReplacer();
	for (const { file } of files) {
		const path = `${modules}${file}`;
		expect(replacedAt(path), file).toBeTypeOf('string');
		expect(replacedAt(path), file).not.toBe(readFileSync(path, 'utf8'));
	}
});

test('every replaced file is part of the bundled program', async () => {
	const inputs = await inputsOf(buildReplacements());
	for (const { file } of files) expect(inputs).toContain(`node_modules/${file}`);
	for (const [name, path] of Object.entries(aliases)) {
		expect(inputs).toContain(path.slice(root.length));
		expect(inputs).not.toContain(`node_modules/${name}/index.js`);
	}
	expect(inputs.filter(input => input.includes('react-devtools-core'))).toEqual([]);
});

test.each(replacements)(
	'the build fails and names the replacement $name if the package that it replaces has another version',
	({ name, ...rest }) => {
		const folder = temporaryFolder();
		copyTo(folder, { name, ...rest });
		expect(() => createReplacer([{ name, ...rest }], folder)).not.toThrow();
		const [of = ''] = Object.keys(rest.packages);
		const path = `${folder}${of}/package.json`;
		const installed = JSON.parse(readFileSync(path, 'utf8'));
		writeFileSync(path, JSON.stringify({ ...installed, version: '99.0.0' }));
		expect(() => createReplacer([{ name, ...rest }], folder)).toThrow(
			`The replacement ${name} is written for ${of} ${installed.version}, and 99.0.0 is installed`,
		);
	},
);

test('unexpected source code of a package makes the build fail with the name of the replacement', async () => {
	const folder = temporaryFolder();
	// If a replacement replaces a whole file, it does not read the original source.
	const looking = files.filter(({ replacement, file }) => {
		try {
			return replacement.files?.[file]?.('') === undefined;
		} catch {
			return true;
		}
	});
	expect(looking.length).toBeGreaterThan(2);
	for (const { file, replacement } of looking) {
		copyTo(folder, replacement);
		writeFileSync(folder + file, 'export const rewritten = true;');
		const built = build({
			stdin: { contents: `import '${folder}${file}';`, resolveDir: dirname(folder) },
			bundle: true,
			write: false,
			logLevel: 'silent',
			plugins: [buildReplacements(createReplacer([replacement], folder), /./)],
		});
		await expect(built, file).rejects.toThrow(`The replacement ${replacement.name} does not fit`);
	}
});
