import type { Change } from '../../fleet/change.ts';
import { memoize } from '../../foundation/memoize.ts';
import { changesOfComputer } from '../../store/change-log.ts';
import type { AccountState, ComputerState } from '../../store/state.ts';
import { type DayStripOptions, dayStripLines } from './day-strip-text.ts';

/** Functions that compute parts of the details, and keep each result until its input changes. */
export type DetailSelectors = {
	historyOf: (account: AccountState, id: string) => readonly Change[];
	dayStrip: typeof dayStripLines;
};

// A cell of the strip stands for several minutes, so the strip is drawn again only at these intervals.
const stripStepMs = 10_000;

export function createDetailSelectors(): DetailSelectors {
	const history = memoize(
		(changes: AccountState['changes'], recalled: AccountState['history'], id: string) =>
			changesOfComputer({ changes, ...(recalled && { history: recalled }) }, id),
	);
	const strip = memoize(
		(
			computer: ComputerState,
			changes: readonly Change[],
			step: number,
			width: number,
			theme: DayStripOptions['theme'],
		) => {
			const now = step * stripStepMs;
			return dayStripLines({ computer, history: changes, now, width, theme });
		},
	);

	return {
		historyOf: ({ changes, history: recalled }, id) => history(changes, recalled, id),
		dayStrip: ({ computer, history: changes, now, width, theme }) =>
			strip(computer, changes, Math.ceil(now / stripStepMs), width, theme),
	};
}
