import type { AccountSettings } from '../../accounts/account-settings.ts';
import { accountKey } from '../../accounts/credentials.ts';
import { stateFileErrorText } from '../../foundation/error.ts';
import type { Host } from '../../session/host.ts';
import { leaderSocketPath } from '../../session/leader-path.ts';
import { watchSharing } from '../../session/watch-sharing.ts';
import { askSummary } from '../../sharing/ask-summary.ts';
import { discardElection } from '../../sharing/election.ts';
import type { Check } from './check.ts';

const subject = 'Shared watch';

/**
 * Checks which process polls the account for all processes of this machine. If none does, checks whether a process
 * could.
 */
export async function sharedWatchCheck(
	host: Host,
	account: AccountSettings,
): Promise<Check | undefined> {
	if (account.preferences.alone) {
		return { subject, status: 'skipped', finding: 'each monitor polls for itself (alone)' };
	}
	const key = accountKey(account);
	const sharing = watchSharing(host, key);
	try {
		const path = leaderSocketPath(host, key);
		if (path === undefined || !sharing) return undefined;
		const leader = await askSummary(path, host.clock);
		if (leader) {
			const finding = 'a running monitor polls, and other monitors and commands get its data';
			return { subject, status: 'right', finding };
		}
		// If no process leads, this process listens on the socket for a moment, as the first monitor would.
		const result = await sharing.elect(true);
		discardElection(result);
		switch (result.role) {
			case 'leader': {
				const finding = 'no monitor polls now; the first one that you open will';
				return { subject, status: 'right', finding };
			}
			case 'follower':
				return silentLeader;
			case 'alone':
				return cannotShare(result.reason);
		}
	} catch (error) {
		return cannotShare(stateFileErrorText(error));
	}
}

const silentLeader: Check = {
	subject,
	status: 'unsure',
	finding: 'the monitor that polls does not answer',
	advice: 'It may be stopped. Other monitors poll for themselves until it answers.',
};

const cannotShare = (reason: string): Check => ({
	subject,
	status: 'unsure',
	finding: `monitors cannot share: ${reason}`,
	advice: 'Each monitor polls for itself within the shared rate limits.',
});
