import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noticesOf, noticesText } from '../scripts/licences.js';
import { temporaryFolder } from './journal/state-directory.ts';

function projectWith(packages: Record<string, string | undefined>) {
	const root = temporaryFolder();
	const inputs: Record<string, object> = { 'source/main.ts': {} };
	for (const [name, text] of Object.entries(packages)) {
		const folder = join(root, 'node_modules', name);
		mkdirSync(folder, { recursive: true });
		writeFileSync(
			join(folder, 'package.json'),
			JSON.stringify({ name, version: '1.0.0', license: 'MIT' }),
		);
		if (text !== undefined) writeFileSync(join(folder, 'LICENSE.md'), text);
		inputs[`node_modules/${name}/dist/index.js`] = {};
		inputs[`node_modules/${name}/dist/other.js`] = {};
	}
	return { root, metafile: { outputs: { 'main.js': { inputs } } } };
}

test('the licence notices name every bundled package once, with its licence text', () => {
	const { root, metafile } = projectWith({
		one: 'The text of one',
		'@scope/two': 'The text of two',
	});
	const text = noticesText(noticesOf(metafile, root));
	expect(text.match(/one 1\.0\.0 \(MIT\)/g)).toHaveLength(1);
	expect(text).toContain('@scope/two 1.0.0 (MIT)\n\nThe text of two');
});

test('a bundled package without a licence text makes the build fail with the name of the package', () => {
	const { root, metafile } = projectWith({ one: 'The text of one', bare: undefined });
	expect(() => noticesOf(metafile, root)).toThrow(
		'These bundled packages have no licence file: bare 1.0.0',
	);
});
