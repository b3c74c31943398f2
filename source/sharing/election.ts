import { once } from 'node:events';
import {
	chmodSync,
	existsSync,
	linkSync,
	lstatSync,
	renameSync,
	statSync,
	unlinkSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import {
	refuseOtherOwner,
	refuseReadableByOthers,
	undefinedIfMissing,
} from '../accounts/private-file.ts';
import { hasCode } from '../foundation/error.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { connectTo, isListening } from './socket.ts';

export type ElectionResult =
	| { role: 'leader'; link: Link; serve(welcome: (socket: Socket) => void): void }
	/** `place` identifies the socket at the path. */
	| { role: 'follower'; socket: Socket; place: string | undefined }
	/** `records`: no socket can be made, so that no other process can record for this one. */
	| { role: 'alone'; records: boolean };

/** A path that leads to the socket of this process. */
export type Link = {
	/** A person may delete the file, and another process replace it. */
	isInPlace(): boolean;
	remove(): void;
};

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

	/** Makes the path lead to this process; undefined if another process listens there. */
	async function claim(path: string, replaces?: string): Promise<Link | undefined> {
		await listen();
		const socket = paths().process(id);
		if (!isLinked(socket, path)) {
			const holder = placeOf(path);
			const isReplaced = holder !== undefined && holder === replaces;
			if (!isReplaced && (await isListening(path))) return undefined;
			removeLink(path, holder, `${path}.${id}`);
			if (!isLinked(socket, path)) return undefined;
		}
		const place = placeOf(path);
		const isInPlace = () => placeOf(path) === place;
		return { isInPlace, remove: () => isInPlace() && undefinedIfMissing(() => unlinkSync(path)) };
	}

	async function elect(canLead: boolean, replaces?: string): Promise<ElectionResult> {
		try {
			const { leader } = paths();
			for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
				const place = placeOf(leader);
				const isReplaced = place !== undefined && place === replaces;
				const socket = isReplaced ? undefined : await connectTo(leader);
				if (socket) return { role: 'follower', socket, place };
				if (!canLead) break;
				const link = await claim(leader, replaces);
				if (link) return { role: 'leader', link, serve };
			}
			return { role: 'alone', records: false };
		} catch {
			return { role: 'alone', records: canLead };
		}
	}

	function serve(call: (socket: Socket) => void) {
		welcome = call;
	}

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
		/** The socket at the place `replaces` is not connected to, but replaced, because its leader does not answer. */
		elect,
		/** Undefined while another process holds it. */
		takeLock: async () => claim(`${paths().leader}.lock`),
		/** Listens on the socket by which others know that this process has not ended. */
		listen,
		/** False if that cannot be known. */
		async hasEnded(other: string): Promise<boolean> {
			const path = knownPaths()?.process(other);
			return path !== undefined && !(await isListening(path));
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

/** Another process may have replaced it meanwhile: its link goes back. */
function removeLink(path: string, place: string | undefined, aside: string) {
	if (placeOf(path) !== place) return;
	if (undefinedIfMissing(() => renameSync(path, aside) ?? true) === undefined) return;
	if (placeOf(aside) !== place) isLinked(aside, path);
	unlinkSync(aside);
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

export type SocketPaths = {
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
	const { mode, uid } = lstatSync(folder);
	refuseOtherOwner(folder, uid);
	refuseReadableByOthers(folder, mode, 0o700);
	return {
		leader: join(folder, `leader-${owner}-${protocolNumber}.sock`),
		process: id => join(folder, `process-${owner}-${shortHash(id, 8)}.sock`),
	};
}
