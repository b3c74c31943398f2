import { once } from 'node:events';
import { chmodSync, existsSync, linkSync, lstatSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { refuseShared, undefinedIfMissing } from '../accounts/private-file.ts';
import { hasCode } from '../foundation/error.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { connectTo, isListening } from './socket.ts';

type ElectionResult =
	| { role: 'leader' }
	/** `place` identifies the socket at the path. */
	| { role: 'follower'; socket: Socket; place: string | undefined }
	/** `records`: no socket can be made, so that no other process can record for this one. */
	| { role: 'alone'; records: boolean };

export type Election = ReturnType<typeof createElection>;

/** After so many attempts, others replace each other faster than this process can connect to one of them. */
const maxAttempts = 10;

/**
 * Elects the process to which the path of the leader leads:
 *
 * ```
 *   connect ── works ──────────────────────────────────────────▶ follower
 *      │ no socket, or refused                  ▲
 *   listen on the socket of this process        │ another one was faster
 *   remove a dead socket from the path, and link the own one ──▶ leader
 * ```
 *
 * Any other error than a refused connection leads to reading alone, because the log of requests keeps the limits anyway.
 */
export function createElection({ id, paths }: { id: string; paths: () => SocketPaths }) {
	let own: { server: Server; path: string } | undefined;
	let won: { path: string; place: string | undefined } | undefined;
	let welcome = (socket: Socket): void => void socket.destroy();

	/** Listens at once: while the call has not returned yet, others can connect. */
	async function listen() {
		const path = paths().process(id);
		if (own?.path === path && existsSync(path)) return;
		own?.server.close();
		const server = createServer(socket => welcome(socket)).unref();
		own = { path, server };
		await once(server.listen(path), 'listening');
		chmodSync(path, 0o600);
	}

	/** Puts the socket of this process in the place of a dead one. False if another process was faster. */
	async function claim(path: string, dead: string | undefined): Promise<boolean> {
		await listen();
		if (dead !== undefined) removeLink(path, dead, id);
		if (!isLinked(paths().process(id), path)) return false;
		won = { path, place: placeOf(path) };
		return true;
	}

	async function elect(canLead: boolean): Promise<ElectionResult> {
		try {
			const { leader } = paths();
			for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
				const place = placeOf(leader);
				const socket = await connectTo(leader);
				if (socket) return { role: 'follower', socket, place };
				if (!canLead) break;
				if (await claim(leader, place)) return { role: 'leader' };
			}
			return { role: 'alone', records: false };
		} catch {
			return { role: 'alone', records: canLead };
		}
	}

	/** A person may delete the file, and another process replace it. */
	const isInPlace = () => won !== undefined && placeOf(won.path) === won.place;

	/** Undefined while there is no private folder for the sockets. */
	function knownPaths(): SocketPaths | undefined {
		try {
			return paths();
		} catch {
			return undefined;
		}
	}

	return {
		id,
		elect,
		isInPlace,
		serve(call: (socket: Socket) => void) {
			welcome = call;
		},
		resign() {
			const path = won?.path;
			if (path !== undefined && isInPlace()) rmSync(path, { force: true });
			won = undefined;
		},
		/** Removes the socket of a leader that does not do its work, unless another one has taken its place already. */
		depose(place: string | undefined) {
			const path = knownPaths()?.leader;
			if (path !== undefined && place !== undefined) removeLink(path, place, id);
		},
		/** Listens on the socket by which others know that this process has not ended. */
		listen,
		/** False if that cannot be known. */
		async hasEnded(other: string): Promise<boolean> {
			const path = knownPaths()?.process(other);
			if (path === undefined || (await isListening(path))) return false;
			// A process that was killed has left it behind.
			rmSync(path, { force: true });
			return true;
		},
		leaderPath: () => knownPaths()?.leader,
		close() {
			own?.server.close();
			own = undefined;
		},
	};
}

function placeOf(path: string): string | undefined {
	const found = statSync(path, { throwIfNoEntry: false });
	return found && `${found.ino} ${found.birthtimeMs}`;
}

function isLinked(from: string, path: string): boolean {
	try {
		linkSync(from, path);
		return true;
	} catch (error) {
		if (hasCode(error, 'EEXIST')) return false;
		throw error;
	}
}

/** Another process may replace it meanwhile: then its link goes back. */
function removeLink(path: string, place: string, id: string) {
	if (placeOf(path) !== place) return;
	const aside = `${path}.${id}`;
	if (undefinedIfMissing(() => renameSync(path, aside) ?? true) === undefined) return;
	if (placeOf(aside) !== place) isLinked(aside, path);
	rmSync(aside, { force: true });
}

/** The number of the protocol between leader and followers. Programs with different numbers do not meet. */
const protocolNumber = 4;

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

type SocketPaths = {
	leader: string;
	/** While a process listens here, others know that it has not ended. */
	process(id: string): string;
};

const ownerOf = ({ account, hostId }: SocketOwner) => shortHash(`${account}\n${hostId}`, 12);

/** Where a pane of an earlier build may lead. */
export const earlierSocketsOf = (owner: SocketOwner): readonly string[] =>
	Array.from({ length: protocolNumber - 1 }, (_, at) =>
		join(owner.stateFolder, `leader-${ownerOf(owner)}-${at + 1}.sock`),
	);

/** In a folder that only this user can enter. Throws if there is no such folder. */
export function socketPathsOf(socketOwner: SocketOwner): SocketPaths {
	const { stateFolder } = socketOwner;
	const owner = ownerOf(socketOwner);
	const isShort = Buffer.byteLength(join(stateFolder, longestName)) <= maxPathBytes;
	const folder = isShort ? stateFolder : join(tmpdir(), `crowsnest-${userInfo().uid}`);
	makeFolder(folder);
	// Not every system checks the mode of a socket, so the folder protects it.
	refuseShared(folder, lstatSync(folder), 0o700);
	return {
		leader: join(folder, `leader-${owner}-${protocolNumber}.sock`),
		process: id => join(folder, `process-${owner}-${shortHash(id, 8)}.sock`),
	};
}
