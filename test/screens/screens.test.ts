import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileOf, sizesOf, testScenes } from './check-scenes.ts';
import { spokenText } from './open.ts';
import { sceneGroups, spokenScenes } from './scenes.ts';

testScenes(sceneGroups.looks);

test.each(spokenScenes)('the scene “$name” is spoken as in its file', async scene => {
	await expect(`${await spokenText(scene)}\n`).toMatchFileSnapshot(`${scene.name}.spoken.txt`);
});

test('every picture belongs to a scene', () => {
	const scenes = Object.values(sceneGroups).flat();
	const expected = [
		...scenes.flatMap(scene => sizesOf(scene).map(size => fileOf(scene.name, size))),
		...spokenScenes.map(({ name }) => `${name}.spoken.txt`),
	];
	const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.txt'));
	expect(files.toSorted()).toEqual(expected.toSorted());
	expect(files.length).toBeLessThanOrEqual(250);
});
