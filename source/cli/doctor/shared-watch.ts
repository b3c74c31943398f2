import type { AccountSettings } from '../../accounts/account-settings.ts';
import { accountKey } from '../../accounts/credentials.ts';
import { messageOf } from '../../foundation/error.ts';
import type { Host } from '../../session/host.ts';
import { leaderSocketPath } from '../../session/leader-path.ts';
import { askSummary } from '../../sharing/ask-summary.ts';
import type { Check } from './check.ts';

/** Checks which process polls the account for all processes of this machine. */
export async function sharedWatchCheck(
	host: Host,
	account: AccountSettings,
): Promise<Check | undefined> {
	const subject = 'Shared watch';
	if (account.preferences.alone) {
		return { subject, status: 'skipped', finding: 'each monitor polls for itself (alone)' };
	}
	try {
		const path = leaderSocketPath(host, accountKey(account));
		if (path === undefined) return undefined;
		const leader = await askSummary(path, host.clock);
		const finding = leader
			? `pane ${leader.pid} polls, and other monitors and commands get its data`
			: 'no monitor polls now; the first one that you open will';
		return { subject, status: 'right', finding };
	} catch (error) {
		return {
			subject,
			status: 'unsure',
			finding: `monitors cannot share: ${messageOf(error)}`,
			advice: 'Each monitor polls for itself within the shared rate limits.',
		};
	}
}
