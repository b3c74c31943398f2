import { createTheme } from '../source/lines/theme.ts';

/** A theme without colours, so that tests compare lines with plain text. */
export const theme = createTheme({ colourBits: 0, background: 'dark', hasUnicode: true });
