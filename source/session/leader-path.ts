import { socketPathOf } from '../sharing/socket-path.ts';
import { type Host, pathsOf } from './host.ts';
import { sharingHostId } from './processes.ts';

/**
 * Returns the path of the socket on which the leader of an account listens; undefined where no process can lead. Throws if
 * its folder is not private.
 */
export function leaderSocketPath(host: Host, account: string): string | undefined {
	const hostId = sharingHostId(host);
	if (hostId === undefined) return undefined;
	return socketPathOf({ stateFolder: pathsOf(host).statePath, account, hostId });
}
