import type { TextView } from '../screen/view-table.ts';
import { billing } from './billing.ts';
import { models } from './models.ts';
import { versions } from './versions.ts';
import type { View } from './view.ts';

/** THE table of what each view shows, for the screen, the ear and a pipe. */
export const textViews: Readonly<Partial<Record<TextView, View>>> = { billing, models, versions };
