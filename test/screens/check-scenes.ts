import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import {
	coloursOf,
	type Opened,
	openScene,
	type Scene,
	type Size,
	sizeOf,
	textOf,
} from './open.ts';

export const sizesOf = ({ sizes = ['120x36'] }: Scene): readonly Size[] => sizes;
export const fileOf = (name: string, size: Size) => `${name}.${size}.txt`;

/** The sizes with the least room, at which nothing is kept, but which must hold what every screen holds. */
const smallSizes: readonly Size[] = ['30x6', '44x12'];

/** Compares each scene with its pictures, and tests what every screen holds at any size. */
export function testScenes(scenes: readonly Scene[]) {
	test.each(scenes)('the scene “$name” looks as in its files, and fits at every size', checkScene);
}

async function checkScene(scene: Scene) {
	const [first = '120x36', ...others] = sizesOf(scene);
	const opened = await openScene(scene, first);
	const [text, colours] = [textOf(opened), coloursOf(opened)];
	await expect(pictureOf(opened)).toMatchFileSnapshot(fileOf(scene.name, first));
	opened.hold();
	const shown = new Map<Size, string>([[first, text]]);
	for (const size of [...others, ...smallSizes]) {
		opened.resize(...sizeOf(size));
		await opened.idle();
		shown.set(size, textOf(opened));
		if (others.includes(size))
			await expect(`${textOf(opened)}\n`).toMatchFileSnapshot(fileOf(scene.name, size));
	}
	expectWhole(scene, shown);
	opened.resize(...sizeOf(first));
	await opened.idle();
	// Over a slow line, a picture is complete only with the next second.
	if (!scene.world?.conditions?.isLowBandwidth) expectSame(opened, { text, colours });
}

/** The text of a screen, and below it the letters of its colours. */
export const pictureOf = (opened: Opened) => `${textOf(opened)}\n\n${coloursOf(opened)}\n`;

/** Fails unless the screen that was reached by changes is the one that is drawn anew, as after each change of its size. */
function expectSame(opened: Opened, { text, colours }: { text: string; colours: string }) {
	expect(withoutCount(textOf(opened)), 'drawn anew').toBe(withoutCount(text));
	expect(coloursOf(opened), 'the colours, drawn anew').toBe(colours);
}

/** On a wide terminal, the details beside the table have been read, too. */
const withoutCount = (text: string) => text.replace(/reads \d+ of/, 'reads of');

const wordsIn = (text: string) => text.split(/[^\p{L}\p{N}]+/u);

/** The words of all pictures. */
const words = new Set(
	readdirSync(import.meta.dirname)
		.filter(name => name.endsWith('.txt'))
		.flatMap(name => wordsIn(readFileSync(join(import.meta.dirname, name), 'utf8'))),
);

/**
 * Fails if a screen has a raw sequence, a word that its edge cuts off, or if it lost the typed line, the cursor, or what
 * the scene must have in sight.
 */
function expectWhole({ always }: Scene, shown: ReadonlyMap<Size, string>) {
	const [[, firstText = ''] = []] = shown;
	for (const [size, text] of shown) {
		const [columns] = sizeOf(size);
		expect(text, size).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\ufffd]/);
		if (always) expect(text, size).toMatch(always);
		for (const line of text.split('\n').filter(each => stringWidth(each) >= columns)) {
			const last = /[\p{L}\p{N}]+$/u.exec(line)?.[0];
			if (last !== undefined) expect(words, `the end of “${line}” at ${size}`).toContain(last);
		}
		if (firstText.includes('▏'))
			expect(text, `the typed line at ${size}`).toMatch(/▏|Enlarge|needs/);
		else if (firstText.includes('❯') && /NAME.* STATUS/.test(text))
			expect(text, `the cursor at ${size}`).toMatch(/❯|╭ /);
	}
}
