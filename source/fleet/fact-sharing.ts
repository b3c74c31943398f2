import type { Fact } from './fact.ts';

/**
 * The other processes that receive a fact:
 *
 * - `newFollowers`: a new follower receives the histories that the leader has, once. - `followers`: the leader reads
 * from the platform, and its followers receive the answers. - `panes`: every process sends its own operations and
 * choices, so that each pane shows what the others do. - `none`: the fact concerns only this process, such as its
 * sign-in, or comes from its own disk.
 */
type FactAudience = 'newFollowers' | 'followers' | 'panes' | 'none';

export const audienceByFact: Readonly<Record<Fact['type'], FactAudience>> = {
	recalled: 'newFollowers',
	listRead: 'followers',
	statusRead: 'followers',
	detailRead: 'followers',
	answered: 'followers',
	computerMissed: 'followers',
	readFailed: 'followers',
	operationChanged: 'panes',
	limitsChanged: 'followers',
	signedIn: 'followers',
	signInFailed: 'none',
	accountClosed: 'none',
	watchShared: 'none',
	shareChosen: 'panes',
	paneLeft: 'followers',
	// Every process finds it by itself in what it receives.
	accountNoted: 'none',
	hookFailed: 'followers',
};
