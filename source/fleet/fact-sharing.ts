import type { Fact } from './fact.ts';

/**
 * The other processes that receive a fact: each new follower once, with the histories that the leader has; the followers,
 * with what the leader reads; all panes, with the operations and choices of each process; or none.
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
