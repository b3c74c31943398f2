import type { Runway } from '../../fleet/runway.ts';
import type { Operations, Picture } from '../../operations/path.ts';
import type { Counts } from '../../store/counts.ts';
import type { Screen } from '../../store/screen.ts';
import type { AccountState } from '../../store/state.ts';
import type { Addresses } from '../ports-table.ts';
import type { ShownRows } from '../shown.ts';
import type { Theme } from '../theme.ts';

/** All that there is to tell of at one moment. */
export type Scene = Addresses & {
	account: AccountState;
	screen: Screen;
	shown: ShownRows;
	picture: Picture;
	waitingFor: Operations['waitingFor'];
	timeLeft: Operations['timeLeft'];
	counts: Counts;
	runway: Runway | null;
	now: number;
	theme: Theme;
};
