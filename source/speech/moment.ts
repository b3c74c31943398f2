import type { Runway } from '../fleet/runway.ts';
import type { Operations, Picture } from '../operations/path.ts';
import type { Waiting } from '../operations/waiting.ts';
import type { AccountState } from '../store/state.ts';

/** What news are told from: two of these, one after the other. */
export type Moment = {
	account: AccountState;
	picture: Picture;
	/** What is not sent yet, and why; by the key of its wish. */
	waiting: ReadonlyMap<string, Waiting>;
	timeLeft: Operations['timeLeft'];
	runway: Runway | null;
	/** Credits are low when they last no longer than that. */
	lowBelow: number;
	now: number;
};
