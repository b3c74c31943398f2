import { lstatSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { refuseOtherOwner, refuseReadableByOthers } from '../accounts/private-file.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { shortHash } from '../foundation/short-hash.ts';

/** The number of the protocol between leader and followers. Programs with different numbers do not meet. */
const protocolNumber = 2;

// macOS allows 103 bytes.
const maxPathBytes = 103;
const longestName = 'process-123456789012-12345678.sock';

type SocketOwner = {
	/** The folder of the state, so that programs that share the limits also share the watch. */
	stateFolder: string;
	account: string;
	/** Identifies this machine and its current boot. Two machines may share a home directory. */
	hostId: string;
};

export type SocketPaths = {
	leader: string;
	/** While a process listens here, others know that it has not ended. */
	process(id: string): string;
};

/** In a folder that only this user can enter. Throws if there is no such folder. */
export function socketPathsOf({ stateFolder, account, hostId }: SocketOwner): SocketPaths {
	const owner = shortHash(`${account}\n${hostId}`, 12);
	const isShort = Buffer.byteLength(join(stateFolder, longestName)) <= maxPathBytes;
	const folder = isShort ? stateFolder : join(tmpdir(), `crowsnest-${userInfo().uid}`);
	makeFolder(folder);
	// Not every system checks the mode of a socket, so the folder protects it.
	const { mode, uid } = lstatSync(folder);
	refuseOtherOwner(folder, uid);
	refuseReadableByOthers(folder, mode, 0o700);
	return {
		leader: join(folder, `leader-${owner}-${protocolNumber}.sock`),
		process: id => join(folder, `process-${owner}-${shortHash(id, 8)}.sock`),
	};
}
