import { createTheme } from '../source/drawing/theme.ts';

/** Without colours, so that a line can be compared with plain text. */
export const theme = createTheme({ colours: 0, background: 'dark', hasUnicode: true });

/** Its ellipsis differs from Ink's: where Ink's is on screen, a line was too long for its place. */
export const themeWithTildeEllipsis = { ...theme, glyphs: { ...theme.glyphs, ellipsis: '~' } };
