import { createTheme } from '../source/lines/theme.ts';

/** A theme without colours, so that tests compare lines with plain text. */
export const theme = createTheme({ colourBits: 0, background: 'dark', hasUnicode: true });

/** The ellipsis differs from Ink's, so that tests recognise lines that Ink had to cut. */
export const themeWithTildeEllipsis = {
	...theme,
	glyphs: { ...theme.glyphs, ellipsis: '~', notRead: '~' },
};
