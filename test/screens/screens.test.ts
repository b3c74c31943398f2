import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { coloursOf, openScene, type Size, sizeOf, spokenText, textOf } from './open.ts';
import { scenes, spokenScenes } from './scenes.ts';

const sizesOf = ({ sizes = ['120x36'] }: (typeof scenes)[number]): readonly Size[] => sizes;
const fileOf = (name: string, size: Size) => `${name}.${size}.txt`;

/** Sizes at which nothing is kept, but which must hold what every screen holds. */
const otherSizes: readonly Size[] = ['30x6', '44x12', '72x20', '101x30', '149x40', '250x70'];

test.each(scenes)(
	'the scene “$name” looks as in its files, and fits at every size',
	async scene => {
		const [first = '120x36', ...others] = sizesOf(scene);
		const opened = await openScene(scene, first);
		const firstText = textOf(opened);
		const withColours = `${firstText}\n\n${coloursOf(opened)}\n`;
		await expect(withColours).toMatchFileSnapshot(fileOf(scene.name, first));
		opened.hold();
		for (const size of [...others, ...otherSizes]) {
			opened.resize(...sizeOf(size));
			await opened.idle();
			expectWhole(opened, size, firstText.includes('❯'));
			if (others.includes(size))
				await expect(`${textOf(opened)}\n`).toMatchFileSnapshot(fileOf(scene.name, size));
		}
		opened.resize(...sizeOf(first));
		await opened.idle();
		// Over a slow line, a picture is complete only with the next second.
		if (!scene.world?.conditions?.isLowBandwidth)
			expect(textOf(opened), 'after it was resized and back').toBe(firstText);
	},
);

/**
 * Fails if a screen has a raw sequence or half a character, if a dialog is cut, if the cursor of the first picture is out
 * of sight, or if a screen without a dialog does not say how to get help or back.
 */
function expectWhole(opened: Parameters<typeof textOf>[0], size: Size, hasCursor: boolean) {
	const text = textOf(opened);
	const [columns, rows] = sizeOf(size);
	expect(text, size).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\ufffd]/);
	if (text.includes('╭')) expect(text, size).toMatch(/╰─+[^╭]*╯/);
	const isAsking = /[╭╰▏]/.test(text);
	if (columns < 60 || rows < 15 || isAsking) return;
	if (hasCursor) expect(text, size).toContain('❯');
	expect(text.split('\n').at(-1), size).toMatch(/help|Esc|quit|close/);
}

test.each(spokenScenes)('the scene “$name” is spoken as in its file', async scene => {
	await expect(`${await spokenText(scene)}\n`).toMatchFileSnapshot(`${scene.name}.spoken.txt`);
});

test('every picture belongs to a scene', () => {
	const expected = [
		...scenes.flatMap(scene => sizesOf(scene).map(size => fileOf(scene.name, size))),
		...spokenScenes.map(({ name }) => `${name}.spoken.txt`),
	];
	const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.txt'));
	expect(files.toSorted()).toEqual(expected.toSorted());
	expect(files.length).toBeLessThanOrEqual(250);
});
