import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inventoryLines, keysPage, referencePage } from './pages.ts';

// `npm run screens` writes these files anew after a wanted change.

test('docs/keys.md has every key', async () => {
	await expect(keysPage()).toMatchFileSnapshot('../../docs/keys.md');
});

test('docs/reference.md has every command, option, field, setting and variable', async () => {
	await expect(referencePage()).toMatchFileSnapshot('../../docs/reference.md');
});

test('nothing that a person can use is gone, unless the CHANGELOG says so', () => {
	const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
	const kept = readFileSync(new URL('../inventory.txt', import.meta.url), 'utf8');
	const present = new Set(inventoryLines());
	const gone = kept.split('\n').filter(line => line !== '' && !present.has(line));
	const named = gone.filter(line => changelog.includes(line));
	expect(gone, 'name these lines below “Gone” in CHANGELOG.md').toEqual(named);
});

test('test/inventory.txt lists what a person can use', async () => {
	await expect(`${inventoryLines().join('\n')}\n`).toMatchFileSnapshot('../inventory.txt');
});
