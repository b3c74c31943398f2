import { hasCode } from '../foundation/error.ts';
import { hostIdFrom } from '../pace/other-hosts.ts';
import type { Host } from './host.ts';

/** Returns the id of this machine and its boot; undefined on Windows, which has no sockets in folders. */
export function sharingHostId({ bootIdentity, program }: Host): string | undefined {
	const hostId = hostIdFrom(bootIdentity?.() ?? []);
	return hostId === '' || program.platform === 'win32' ? undefined : hostId;
}

/** Whether a process with this pid exists. Signal 0 does nothing to the process. */
export function isRunning({ program }: Host, pid: number): boolean {
	try {
		return pid > 0 && program.kill(pid, 0);
	} catch (error) {
		return hasCode(error, 'EPERM');
	}
}
