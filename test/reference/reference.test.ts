import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { manualPage } from '../../scripts/manual.js';
import { inventoryLines, keysPage, referencePage } from './pages.ts';

// `npm run screens` writes these files anew after a wanted change.

test('docs/keys.md has every key', async () => {
	await expect(keysPage()).toMatchFileSnapshot('../../docs/keys.md');
});

test('docs/reference.md has every command, option, field, setting and variable', async () => {
	await expect(referencePage()).toMatchFileSnapshot('../../docs/reference.md');
});

test('the manual page of the packages has every section, and a bold term for every row', () => {
	const page = manualPage('1.2.3', 'a monitor');
	for (const title of ['NAME', 'KEYS', 'COMMANDS', 'JSON', 'EXIT CODES', 'FILTERS', 'SETTINGS'])
		expect(page).toContain(`\n.SH ${title}\n`);
	expect(page).toContain('\n.TP\n\\fB\\-\\-all\\-profiles\\fR\n\\&Use all profiles');
	expect(page).not.toMatch(/^[|#`]|(?<!\\)-/m);
});

test('test/inventory.txt lists what a person can use, and loses a line only if CHANGELOG.md names it', async () => {
	const lines = inventoryLines();
	const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
	// A line of its own in the CHANGELOG names a line of the inventory, or with … at its end all that begin so.
	const named = Array.from(
		textOf('../../CHANGELOG.md').matchAll(/^\s*([a-z -]+: .+)$/gm),
		([, name = '']) => name,
	);
	const isNamed = (line: string) =>
		named.some(name => (name.endsWith('…') ? line.startsWith(name.slice(0, -1)) : line === name));
	const gone = textOf('../inventory.txt')
		.split('\n')
		.filter(line => line !== '' && !lines.includes(line) && !isNamed(line));
	// This comes first, so that `npm run screens` does not forget these lines.
	expect(gone, 'name these lines in the block below “Gone” in CHANGELOG.md').toEqual([]);
	await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../inventory.txt');
});
