import type { AccountSettings } from '../accounts/account-settings.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import { elect, takePlaceOfSilentLeader } from '../sharing/election.ts';
import type { Host } from './host.ts';
import { leaderSocketPath } from './leader-path.ts';
import { isRunning, sharingHostId } from './processes.ts';
import type { SessionAccess } from './session.ts';

/**
 * Returns how this process shares the watch of an account with the other processes of this host; undefined on a host
 * that has no identity.
 */
export function watchSharing(host: Host, account: string): SessionAccess['sharing'] {
	const hostId = sharingHostId(host);
	if (hostId === undefined) return undefined;
	const { pid } = host.program;
	const isProcessRunning = (other: number) => isRunning(host, other);
	const { clock, random } = host;
	const shared = { clock, random, holder: { pid, hostId }, isRunning: isProcessRunning };
	const pathNow = () => leaderSocketPath(host, account) ?? '';
	return {
		pid,
		isRunning: isProcessRunning,
		standIn() {
			try {
				return takePlaceOfSilentLeader({ ...shared, path: pathNow() });
			} catch {
				// A folder that others can use since then is no place for a lock.
				return () => {};
			}
		},
		async elect(canLead, replaces) {
			try {
				return await elect({ ...shared, path: pathNow(), canLead, replaces });
			} catch (error) {
				return { role: 'alone', reason: stateFileErrorText(error) };
			}
		},
	};
}

/** Returns how a command shares the watch of an account. A command has no screen that would decide what is read. */
export function commandSharing(
	host: Host,
	{ preferences }: Pick<AccountSettings, 'preferences'>,
	account: string,
): SessionAccess['sharing'] {
	const sharing = preferences.alone ? undefined : watchSharing(host, account);
	return sharing && { ...sharing, hasScreen: false };
}
