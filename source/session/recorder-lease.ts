import { createRecorderLease, type RecorderLease } from '../sharing/recorder-lease.ts';
import { leasePathOf } from '../sharing/socket-path.ts';
import { type Host, pathsOf } from './host.ts';
import { isRunning, sharingHostId } from './processes.ts';

/**
 * Returns the lease of the recorder of an account; undefined where no process shares anything, or where the folder of the
 * lease is not private.
 */
export function recorderLeaseOf(host: Host, account: string): RecorderLease | undefined {
	const hostId = sharingHostId(host);
	if (hostId === undefined) return undefined;
	try {
		return createRecorderLease({
			path: leasePathOf({ stateFolder: pathsOf(host).statePath, account, hostId }),
			holder: { pid: host.program.pid, hostId },
			isRunning: other => isRunning(host, other),
			clock: host.clock,
			random: host.random,
		});
	} catch {
		return undefined;
	}
}
