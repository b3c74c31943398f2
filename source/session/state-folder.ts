import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { refusePublicStateFolder } from '../accounts/private-file.ts';
import { pathErrorText } from '../foundation/error.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { createElection, type Election } from '../sharing/election.ts';
import { type Host, pathsOf } from './host.ts';

type Notify = (line: string) => void;

/** If there is one, problems with single files are not reported, because every file has the same problem. */
export function reportStateFolder(host: Host, notify: Notify): (notifyOfFile: Notify) => Notify {
	const problem = stateFolderProblem(host);
	if (problem === undefined) return notifyOfFile => notifyOfFile;
	notify(`Nothing can be saved: ${problem}. Rate limits are counted for this process only.`);
	return () => () => {};
}

function stateFolderProblem(host: Host): string | undefined {
	const { statePath } = pathsOf(host);
	try {
		makeFolder(statePath);
		refusePublicStateFolder(join(statePath, 'limits'));
		accessSync(statePath, constants.W_OK);
		return undefined;
	} catch (error) {
		return pathErrorText(statePath, error);
	}
}

type Booted = Pick<Host, 'bootIdentity'>;

/** Does not reveal its inputs; empty if they are unknown. */
const hashOf = (identity: readonly string[]): string =>
	identity.every(text => text === '') ? '' : shortHash(JSON.stringify(identity));

export const bootId = ({ bootIdentity }: Booted): string => hashOf(bootIdentity?.() ?? []);

/** Names this machine in files of a home folder that machines share. It stays the same after a restart. */
export const machineIdOf = ({ bootIdentity }: Booted): string | undefined =>
	hashOf(bootIdentity?.().slice(0, 1) ?? []) || undefined;

/** Undefined where this machine cannot be told from others. */
export function openElection(host: Host, account: string): Election | undefined {
	const hostId = bootId(host);
	if (hostId === '') return undefined;
	return createElection({
		id: host.processId,
		stateFolder: pathsOf(host).statePath,
		account,
		hostId,
	});
}

export function logPath(host: Host): string {
	return join(pathsOf(host).statePath, 'log');
}

/** Where this process keeps what it knows, and under which names. */
export const journalPlace = (host: Host) => ({
	directory: logPath(host),
	process: host.processId,
	machine: machineIdOf(host),
});
