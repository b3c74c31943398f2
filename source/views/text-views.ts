import type { TextView } from '../screen/view-table.ts';
import { log } from './log.ts';
import type { View } from './view.ts';

/** THE table of the views that are texts. */
export const textViews: Readonly<Partial<Record<TextView, View>>> = { log };
