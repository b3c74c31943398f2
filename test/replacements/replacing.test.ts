import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { replacements } from '../../replacements/all.js';
import {
	aliases,
	buildReplacements,
	createReplacer,
	type Replacement,
} from '../../replacements/plugins.js';
import { root } from '../../scripts/build.js';

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
