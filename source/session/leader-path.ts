import { connect } from 'node:net';
import { earlierSocketOf, socketPathOf } from '../sharing/socket-path.ts';
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

/** Says it if a monitor of an earlier build runs for the account: the two do not share what they read. */
export function reportEarlierPane(
	host: Host,
	account: string,
	notify: (message: string) => void,
): void {
	const hostId = sharingHostId(host);
	const stateFolder = pathsOf(host).statePath;
	const path = hostId && earlierSocketOf({ stateFolder, account, hostId });
	if (!path) return;
	const socket = connect(path, () => {
		socket.destroy();
		notify('A monitor of an earlier build is open. It shares nothing with this one: close it');
	});
	// A monitor that was killed has left its socket behind.
	socket.on('error', () => {});
}
