import { connect } from 'node:net';
import { shortHash } from '../foundation/short-hash.ts';
import { createElection, type Election } from '../sharing/election.ts';
import { earlierSocketOf, socketPathsOf } from '../sharing/socket-paths.ts';
import { type Host, pathsOf } from './host.ts';

type Booted = Pick<Host, 'bootIdentity'>;

/** Does not reveal its inputs; empty if they are unknown. */
const hashOf = (identity: readonly string[]): string =>
	identity.every(text => text === '') ? '' : shortHash(JSON.stringify(identity));

export const bootId = ({ bootIdentity }: Booted): string => hashOf(bootIdentity?.() ?? []);

/** Names this machine in files of a home folder that machines share. It stays the same after a restart. */
export const machineIdOf = ({ bootIdentity }: Booted): string | undefined =>
	hashOf(bootIdentity?.().slice(0, 1) ?? []) || undefined;

const socketOwnerOf = (host: Host, account: string) => ({
	stateFolder: pathsOf(host).statePath,
	account,
	hostId: bootId(host),
});

export function openElection(host: Host, account: string): Election | undefined {
	if (bootId(host) === '') return undefined;
	const paths = () => socketPathsOf(socketOwnerOf(host, account));
	return createElection({ id: host.processId, paths });
}

/** The two do not share what they read. */
export function reportEarlierPane(
	host: Host,
	account: string,
	notify: (message: string) => void,
): void {
	const path = earlierSocketOf(socketOwnerOf(host, account));
	if (!path) return;
	const socket = connect(path, () => {
		socket.destroy();
		notify('A monitor of an earlier build is open. It shares nothing with this one: close it');
	});
	// A monitor that was killed has left its socket behind.
	socket.on('error', () => {});
}
