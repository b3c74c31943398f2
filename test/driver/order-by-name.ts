import type { ScreenKeeper } from '../../source/monitor/screen-persistence.ts';

/** Orders the table by name, so that a test knows which computer is on the first line. */
export const screenKeeperByName: ScreenKeeper = {
	restore: () => ({ ordering: { by: 'name', isReversed: false } }),
	save() {},
};
