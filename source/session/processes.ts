import { createHash } from 'node:crypto';
import type { OperationMove } from '../fleet/change.ts';
import { hasCode } from '../foundation/error.ts';
import type { Host } from './host.ts';

/** Returns a hash that identifies one boot of one machine without revealing its inputs; empty if they are unknown. */
const hostIdFrom = (bootIdentity: readonly string[]): string =>
	bootIdentity.every(text => text === '')
		? ''
		: createHash('sha256').update(JSON.stringify(bootIdentity)).digest('hex').slice(0, 16);

export const bootId = ({ bootIdentity }: Pick<Host, 'bootIdentity'>): string =>
	hostIdFrom(bootIdentity?.() ?? []);

/** Returns the id of this machine and its boot; undefined on Windows, which has no sockets in folders. */
export function sharingHostId(host: Host): string | undefined {
	const hostId = bootId(host);
	return hostId === '' || host.program.platform === 'win32' ? undefined : hostId;
}

/**
 * Returns a hash that names this machine in files which another machine may share, because both have the same home folder.
 * It stays the same after a restart of the machine.
 */
export const machineIdOf = ({ bootIdentity }: Pick<Host, 'bootIdentity'>): string | undefined =>
	hostIdFrom(bootIdentity?.().slice(0, 1) ?? []) || undefined;

/** Whether a process with this pid exists. Signal 0 does nothing to the process. */
export function isRunning({ program }: Host, pid: number): boolean {
	try {
		return pid > 0 && program.kill(pid, 0);
	} catch (error) {
		return hasCode(error, 'EPERM');
	}
}

/**
 * Whether the process that noted a step of an operation has ended. A process from before the last boot of the machine
 * has ended.
 */
export function hasEnded(
	host: Host,
	{ pane, at, isElsewhere }: Pick<OperationMove, 'pane' | 'at' | 'isElsewhere'>,
): boolean {
	// Only that machine knows its processes.
	if (isElsewhere) return false;
	const bootedAt = host.clock.now() - host.msSinceBoot();
	// A step without a pid is from an earlier process with the same pid as this process, which has ended.
	return at < bootedAt || pane === undefined || !isRunning(host, pane);
}
