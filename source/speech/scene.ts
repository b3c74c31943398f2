import type { Theme } from '../drawing/theme.ts';
import type { Runway } from '../fleet/runway.ts';
import type { Operations, Picture } from '../operations/path.ts';
import type { Screen } from '../screen/screen.ts';
import type { Counts } from '../store/counts.ts';
import type { AccountState } from '../store/state.ts';
import type { Addresses } from '../wording/ports-table.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';

/** All that there is to tell of at one moment. */
export type Scene = Addresses & {
	account: AccountState;
	screen: Screen;
	shown: VisibleRows;
	picture: Picture;
	waitingFor: Operations['waitingFor'];
	timeLeft: Operations['timeLeft'];
	counts: Counts;
	runway: Runway | null;
	now: number;
	theme: Theme;
};
