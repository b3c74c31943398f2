import { shortHash } from '../foundation/short-hash.ts';
import { createElection, type Election } from '../sharing/election.ts';
import { socketPathsOf } from '../sharing/socket-paths.ts';
import { type Host, pathsOf } from './host.ts';

type Booted = Pick<Host, 'bootIdentity'>;

/** Does not reveal its inputs; empty if they are unknown. */
const hashOf = (identity: readonly string[]): string =>
	identity.every(text => text === '') ? '' : shortHash(JSON.stringify(identity));

export const bootId = ({ bootIdentity }: Booted): string => hashOf(bootIdentity?.() ?? []);

/** Names this machine in files of a home folder that machines share. It stays the same after a restart. */
export const machineIdOf = ({ bootIdentity }: Booted): string | undefined =>
	hashOf(bootIdentity?.().slice(0, 1) ?? []) || undefined;

export function openElection(host: Host, account: string): Election | undefined {
	const hostId = bootId(host);
	if (hostId === '') return undefined;
	const paths = () => socketPathsOf({ stateFolder: pathsOf(host).statePath, account, hostId });
	return createElection({ id: host.processId, paths });
}
