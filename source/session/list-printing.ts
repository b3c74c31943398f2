import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { Platform } from '../platform/platform.ts';
import type { PrintList, SharedWatchOptions } from '../sharing/shared-watch-options.ts';
import { emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Host } from './host.ts';

type ListedSession = {
	account: string;
	store: Store;
	profile: AccountProfile;
	platform: Pick<Platform, 'publicAddress'>;
	host: Pick<Host, 'clock' | 'nextTurn'>;
};

/** Returns a function that prints the list of a session for a command of another process. */
export function listPrinting(
	printList: PrintList | undefined,
	{ account, store, profile, platform, host }: ListedSession,
): SharedWatchOptions['printList'] {
	const { clock, nextTurn = () => Promise.resolve() } = host;
	return async question =>
		printList?.(question, {
			...{ profile, nextTurn },
			state: store.getState().accounts.get(account) ?? emptyAccount,
			publicAddress: platform.publicAddress,
			now: clock.now(),
		});
}
