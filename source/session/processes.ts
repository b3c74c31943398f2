import { hasCode } from '../foundation/error.ts';
import { hostIdFrom } from '../pace/other-hosts.ts';
import type { Host } from './host.ts';

/** Returns what identifies this machine and its boot; undefined on Windows, which has no sockets in folders. */
export function sharingHostId({ bootIdentity, program }: Host): string | undefined {
	const hostId = hostIdFrom(bootIdentity?.() ?? []);
	return hostId === '' || program.platform === 'win32' ? undefined : hostId;
}

/** Whether a process with this pid exists; the signal 0 only asks. */
export function isRunning({ program }: Host, pid: number): boolean {
	try {
		return pid > 0 && program.kill(pid, 0);
	} catch (error) {
		return hasCode(error, 'EPERM');
	}
}
