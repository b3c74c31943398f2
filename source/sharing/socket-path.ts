import { existsSync, lstatSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { refuseOtherOwner, refuseReadableByOthers } from '../accounts/private-file.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { shortHash } from '../foundation/short-hash.ts';

/** The number of the protocol between leader and followers. Programs with different numbers do not meet. */
export const protocolNumber = 1;

// Linux allows 107 bytes and macOS 103. A few are left for the suffix of the temporary name.
const maxPathBytes = 100 - '.12345678'.length;

type SocketOwner = {
	/** The folder of the state, so that programs that share the limits also share the watch. */
	stateFolder: string;
	/** The key of the account. */
	account: string;
	/** Identifies this machine and its current boot. Two machines may share a home directory. */
	hostId: string;
};

/** Returns the path of the socket of an account, in a folder that only this user can enter. */
export function socketPathOf({ stateFolder, account, hostId }: SocketOwner): string {
	const name = `leader-${shortHash(`${account}\n${hostId}`, 12)}-${protocolNumber}.sock`;
	const path = join(stateFolder, name);
	if (Buffer.byteLength(path) <= maxPathBytes) return inPrivateFolder(stateFolder, path);
	const folder = join(tmpdir(), `crowsnest-${userInfo().uid}`);
	return inPrivateFolder(folder, join(folder, name));
}

/**
 * Returns the path of the socket of an account in earlier builds, whose panes share nothing with this one; undefined if
 * there is none.
 */
export function earlierSocketOf({ stateFolder, account, hostId }: SocketOwner): string | undefined {
	const path = join(stateFolder, `watch-${shortHash(`${account}\n${hostId}`, 12)}-p3.sock`);
	return existsSync(path) ? path : undefined;
}

/** Creates the folder if it is missing. Not every system checks the mode of a socket, so the folder protects it. */
function inPrivateFolder(folder: string, path: string): string {
	makeFolder(folder);
	const { mode, uid } = lstatSync(folder);
	refuseOtherOwner(folder, uid);
	refuseReadableByOthers(folder, mode, 0o700);
	return path;
}
