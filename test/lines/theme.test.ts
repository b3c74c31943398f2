import { expect, test } from 'vitest';
import { createTheme, type Tone } from '../../source/lines/theme.ts';

/** Returns the luminance of one of the 256 colours beyond the first 16, which terminals agree on. */
function luminanceOf(colour: number): number {
	const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
	const grey = 8 + 10 * (colour - 232);
	const cube = colour - 16;
	const channels =
		colour >= 232
			? [grey, grey, grey]
			: [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level);
	const [red = 0, green = 0, blue = 0] = channels.map(channel => {
		const share = channel / 255;
		return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('every colour has a contrast of at least 3:1 on white in the light theme, also the cells of the map', () => {
	const light = createTheme({ colourBits: 8, background: 'light', hasUnicode: true });
	const tones: readonly Tone[] = [
		...([
			'accent',
			'faint',
			'good',
			'busy',
			'bad',
			'usual',
			'idle',
			'old',
			'doubt',
			'here',
		] as const),
	];
	const colours = tones.map(tone => Number(/38;5;(\d+)/.exec(light.paint(tone, 'x'))?.[1]));
	const contrasts = colours.map(colour => 1.05 / (luminanceOf(colour) + 0.05));
	for (const [at, contrast] of contrasts.entries())
		expect(contrast, tones[at]).toBeGreaterThanOrEqual(3);
	expect(new Set(colours.slice(5)).size, 'the cells of the map differ').toBe(5);
});
