import { renderToString } from 'ink';
import type { ReactElement } from 'react';
import { createTheme } from '../../source/drawing/theme.ts';
import { frameText } from '../frame-text.ts';

export const now = new Date(2026, 10, 21, 8).getTime();

export const hour = 3_600_000;

export const theme = createTheme({ colours: 0, background: 'dark', hasUnicode: true });

/** Its ellipsis is another than Ink's: where Ink's is seen, a line was too long. */
export const markedTheme = { ...theme, glyphs: { ...theme.glyphs, ellipsis: '~' } };

/** The lines of a view without styles and links. */
export function drawn(view: ReactElement, columns: number): readonly string[] {
	return frameText(renderToString(view, { columns })).split('\n');
}
