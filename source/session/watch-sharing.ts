import { hasCode, messageOf } from '../foundation/error.ts';
import { hostIdFrom } from '../pace/other-hosts.ts';
import { elect } from '../sharing/election.ts';
import type { Host } from './host.ts';
import { leaderPath } from './leader-path.ts';
import type { SessionAccess } from './session.ts';

/**
 * Returns how this process shares the watch of an account with the other processes of this host; undefined on a host
 * that has no identity.
 */
export function watchSharing(host: Host, account: string): SessionAccess['sharing'] {
	const hostId = hostIdFrom(host.bootIdentity?.() ?? []);
	const { pid, platform } = host.program;
	// Windows has no sockets in folders.
	if (hostId === '' || platform === 'win32') return undefined;
	return {
		pid,
		async elect(canLead) {
			try {
				const path = leaderPath(host, account) ?? '';
				return await elect({
					...{ path, canLead, clock: host.clock, random: host.random },
					holder: { pid, hostId },
					isRunning: other => isRunning(host, other),
				});
			} catch (error) {
				return { role: 'alone', reason: messageOf(error) };
			}
		},
	};
}

/** Whether a process with this pid exists; the signal 0 only asks. */
function isRunning({ program }: Host, pid: number): boolean {
	try {
		return pid > 0 && program.kill(pid, 0);
	} catch (error) {
		return hasCode(error, 'EPERM');
	}
}
