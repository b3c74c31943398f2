import { billing } from './billing.ts';
import { log } from './log.ts';
import type { TextView } from './look/view-table.ts';
import { models } from './models.ts';
import { output } from './output.ts';
import { versions } from './versions.ts';
import type { View } from './view.ts';

/** For the screen, the ear and a pipe. */
export const textViews: Readonly<Record<TextView, View>> = {
	billing,
	models,
	versions,
	log,
	output,
};
