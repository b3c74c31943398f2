import type { Fact } from './fact.ts';

/** A new follower receives the histories that the leader has, once. */
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
	accountNoted: 'none',
	hookFailed: 'followers',
};
