import { EventEmitter } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { build } from 'esbuild';
import fc from 'fast-check';
import type * as ink from 'ink';
import { createElement, type ReactElement } from 'react';
import { expect, test } from 'vitest';
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
import { temporaryFolder } from '../journal/state-directory.ts';
import { runs } from '../runs.ts';
import { originalModule } from './original-module.js';

/** Loads a module of a dependency twice: as installed, and as replaced in the build and the tests. */
async function loadBoth<Module>(path: string): Promise<{ original: Module; replaced: Module }> {
	const original: unknown = await originalModule(path);
	const replaced: unknown = await import(/* @vite-ignore */ `${root}node_modules/${path}`);
	expect(original).not.toBe(replaced);
	return { original: original as Module, replaced: replaced as Module };
}

// All replacements together: Ink as installed, and as the program ships it.
const original = (await originalModule('ink/build/index.js')) as typeof ink;
const replaced: typeof ink = await import('ink');

type View = { text: string; wrap: ink.TextProps['wrap'] } | { box: ink.BoxProps; views: View[] };

const wraps = ['wrap', 'hard', 'truncate', 'truncate-middle', 'truncate-start'] as const;
const directions = ['row', 'column'] as const;
const text = styledText({ maxLength: 8, hasLines: true });

const { view } = fc.letrec<{ view: View }>(tie => ({
	view: fc.oneof(
		{ depthSize: 'small' },
		fc.record({ text, wrap: fc.constantFrom(...wraps) }),
		fc.record({
			box: fc.record({ flexDirection: fc.constantFrom(...directions) }),
			views: fc.array(tie('view'), { maxLength: 4 }),
		}),
	),
}));

function elementOf(library: typeof ink, view: View, key = 0): ReactElement {
	const { Box, Text } = library;
	if ('text' in view) return createElement(Text, { key, wrap: view.wrap }, view.text);
	const views = view.views.map((each, at) => elementOf(library, each, at));
	return createElement(Box, { key, ...view.box }, views);
}

/** The lines without styles, links, and the spaces at their ends, which Ink does not write. */
const lettersOf = (text: string) =>
	stripVTControlCharacters(text.replace(/\u001B\]8;[^\u0007]*\u0007/g, ''))
		.replace(/ +$/gm, '')
		.trimEnd();

const columns = 40;

/** Whether Ink need not shrink anything, which our layout does not do. */
function fits(view: View): boolean {
	const [narrow, wide] = [columns, 400].map(width => {
		const element = elementOf(original, { box: { width }, views: [view] });
		return lettersOf(original.renderToString(element, { columns: width }));
	});
	return narrow === wide;
}

/** Boxes and ways to wrap stay, so that React changes only texts. */
function withTexts(view: View, nextText: () => string): View {
	if ('text' in view) return { ...view, text: nextText() };
	return { ...view, views: view.views.map(each => withTexts(each, nextText)) };
}

function streamOf() {
	const written: string[] = [];
	const stream = Object.assign(new EventEmitter(), {
		columns,
		rows: 30,
		isTTY: true,
		write(text: string, done?: () => void) {
			written.push(text);
			done?.();
			return true;
		},
	});
	return { written, stream: stream as unknown as NodeJS.WriteStream };
}

function open(library: typeof ink) {
	const { stream, written } = streamOf();
	const options = { stdout: stream, stderr: stream, patchConsole: false, debug: true };
	const app = library.render(createElement(library.Text, {}, 'first'), options);
	return {
		close: app.unmount,
		show(view: View) {
			app.rerender(elementOf(library, { box: { width: columns }, views: [view] }));
			return written.at(-1) ?? '';
		},
	};
}

test('the replaced Ink draws the same text as the original after each change of a component', () => {
	const change = fc.oneof(
		{ weight: 3, arbitrary: fc.array(text, { minLength: 1 }) },
		{ weight: 1, arbitrary: view },
	);
	fc.assert(
		fc.property(view, fc.array(change, { maxLength: 6 }), (first, changes) => {
			const [ours, inks] = [open(replaced), open(original)];
			let current = first;
			for (const each of [first, ...changes]) {
				let next = 0;
				current = Array.isArray(each)
					? withTexts(current, () => each[next++ % each.length] ?? '')
					: each;
				const [drawn, expected] = [frameText(ours.show(current)), inks.show(current)];
				if (fits(current)) expect(lettersOf(drawn)).toBe(lettersOf(expected));
			}
			ours.close();
			inks.close();
		}),
		runs(40),
	);
});

test('the replaced Ink adds no handlers for signals or exit, and has our output and the production build of React', async () => {
	const events = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'];
	const handlers = () => events.map(event => process.listenerCount(event));
	const before = handlers();
	const { emit, reallyExit } = process as NodeJS.Process & { reallyExit: unknown };
	const { close } = open(replaced);
	expect(handlers()).toEqual(before);
	expect(process).toMatchObject({ emit, reallyExit });
	close();
	expect(handlers()).toEqual(before);
	expect((await import('../../node_modules/ink/build/output.js')).default).toBe(InkOutput);
	// Only the development build of React has `act`.
	expect((await import('react')).act).toBeUndefined();
});

const stringWidth = await loadBoth<{ default: (text: string) => number }>('string-width/index.js');

test('every text is as wide as the package says, with or without styles and links', () => {
	const styled = styledText({ maxLength: 8, hasLines: false });
	fc.assert(
		fc.property(fc.oneof(styled, fc.string({ unit: glyphs }), fc.string()), text => {
			expect(stringWidth.replaced.default(text)).toBe(stringWidth.original.default(text));
		}),
		runs(2_000),
	);
});

const yoga = await loadBoth<{ default: typeof Yoga }>('yoga-layout/dist/src/index.js');

test('the replaced layout has the constants of Yoga, gives no place to a removed child, and refuses a style that it does not know', () => {
	const plain = ({ default: layout, ...named }: typeof yoga.original) => ({
		named,
		constants: Object.entries(layout).filter(([, value]) => typeof value === 'number'),
	});
	expect(plain(yoga.replaced)).toEqual(plain(yoga.original));
	const { Node } = yoga.replaced.default;
	const [parent, one, other] = [Node.create(), Node.create(), Node.create()];
	for (const [at, child] of [one, other].entries()) {
		child.setHeight(2);
		parent.insertChild(child, at);
	}
	const places = () => {
		parent.calculateLayout(undefined, undefined);
		return [other.getComputedTop(), parent.getComputedHeight()];
	};
	expect(places()).toEqual([2, 4]);
	parent.removeChild(one);
	expect(places()).toEqual([0, 2]);
	expect(() => one.setMargin(8, 1)).toThrow('setMargin');
});

const modules = `${root}node_modules/`;

const files = replacements.flatMap(replacement =>
	Object.keys(replacement.files ?? {}).map(file => ({ file, replacement })),
);

/** A folder with the files that a replacement reads. */
function copyOf({ packages, files = {} }: Replacement): string {
	const folder = `${temporaryFolder()}/`;
	const manifests = Object.keys(packages).map(of => `${of}/package.json`);
	for (const file of [...manifests, ...Object.keys(files)]) cpSync(modules + file, folder + file);
	return folder;
}

test('each replacement changes the files that it names, which are part of the bundled program', async () => {
	const { metafile } = await build({
		entryPoints: [`${root}source/main.ts`],
		absWorkingDir: root,
		bundle: true,
		write: false,
		metafile: true,
		platform: 'node',
		format: 'esm',
		logLevel: 'silent',
		plugins: [buildReplacements()],
	});
	const inputs = Object.keys(metafile.inputs);
	const replacedAt = createReplacer();
	for (const { file } of files) {
		const changed = replacedAt(modules + file);
		expect(changed, file).toBeTypeOf('string');
		expect(changed, file).not.toBe(readFileSync(modules + file, 'utf8'));
		expect(inputs).toContain(`node_modules/${file}`);
	}
	for (const [name, path] of Object.entries(aliases)) {
		expect(inputs).toContain(path.slice(root.length));
		expect(inputs).not.toContain(`node_modules/${name}/index.js`);
	}
	expect(inputs.filter(input => input.includes('react-devtools-core'))).toEqual([]);
});

test.each(replacements)(
	'the build names the replacement $name if its package has another version',
	replacement => {
		const folder = copyOf(replacement);
		expect(() => createReplacer([replacement], folder)).not.toThrow();
		const [of = ''] = Object.keys(replacement.packages);
		const path = `${folder}${of}/package.json`;
		const manifest = JSON.parse(readFileSync(path, 'utf8'));
		writeFileSync(path, JSON.stringify({ ...manifest, version: '99.0.0' }));
		expect(() => createReplacer([replacement], folder)).toThrow(
			`The replacement ${replacement.name} is written for ${of} ${manifest.version}, and 99.0.0 is installed`,
		);
	},
);

test('the build names the replacement that does not fit the source of a package', async () => {
	// A replacement of a whole file does not read the original source.
	const reading = files.filter(({ replacement, file }) => {
		try {
			return replacement.files?.[file]?.('') === undefined;
		} catch {
			return true;
		}
	});
	expect(reading.length).toBeGreaterThan(2);
	for (const { file, replacement } of reading) {
		const folder = copyOf(replacement);
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
