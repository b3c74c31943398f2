import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileOf, pictureOf, sizesOf, testScenes } from './check-scenes.ts';
import { openScene, spokenText } from './open.ts';
import { fleet, paletteSearches, sceneGroups, spokenScenes } from './scenes.ts';

testScenes(sceneGroups.looks);

const paletteFileOf = (text: string) => fileOf(`palette-${text.replace(/\W/g, '-')}`, '80x24');

test('the palette finds what its files show, and Ctrl-U erases what was typed', async () => {
	const opened = await openScene({ name: 'palette', world: fleet, steps: '~6s :' }, '80x24');
	for (const text of paletteSearches) {
		await opened.type(text);
		await expect.soft(pictureOf(opened)).toMatchFileSnapshot(paletteFileOf(text));
		await opened.press('ctrl-u');
	}
});

test.each(spokenScenes)('the scene “$name” is spoken as in its file', async scene => {
	await expect(`${await spokenText(scene)}\n`).toMatchFileSnapshot(`${scene.name}.spoken.txt`);
});

test('every picture belongs to a scene', () => {
	const scenes = Object.values(sceneGroups).flat();
	const expected = [
		...scenes.flatMap(scene => sizesOf(scene).map(size => fileOf(scene.name, size))),
		...paletteSearches.map(paletteFileOf),
		...spokenScenes.map(({ name }) => `${name}.spoken.txt`),
	];
	const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.txt'));
	const left = files.filter(name => !expected.includes(name));
	expect(left, 'delete these files').toEqual([]);
	expect(files.length).toBeLessThanOrEqual(250);
});
