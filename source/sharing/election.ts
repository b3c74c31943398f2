import { once } from 'node:events';
import {
	chmodSync,
	existsSync,
	linkSync,
	lstatSync,
	readdirSync,
	renameSync,
	statSync,
	unlinkSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
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
	| { role: 'leader'; listener: Listener }
	/** `place` identifies the socket at the path. */
	| { role: 'follower'; socket: Socket; place: string | undefined }
	/** `records`: no socket can be made, so that no other process can record for this one. */
	| { role: 'alone'; records: boolean };

export type Listener = {
	welcome(call: (socket: Socket) => void): void;
	/** Whether the path still leads to this process. A person may delete the file, and another process replace it. */
	isInPlace(): boolean;
	close(): void;
};

export type Release = () => void;

export type Election = {
	id: string;
	/** The socket at the place `replaces` is not connected to, but replaced, because its leader does not answer. */
	elect(canLead: boolean, replaces?: string): Promise<ElectionResult>;
	/** Undefined while another process holds it. */
	takeLock(): Promise<Release | undefined>;
	/** Listens on the socket by which others know that this process has not ended. */
	listen(): Promise<void>;
	/** False if that cannot be known. */
	hasEnded(id: string): Promise<boolean>;
	leaderPath(): string | undefined;
	close(): void;
};

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
export function createElection({ id, paths }: { id: string; paths: () => SocketPaths }): Election {
	let own: { server: Server; path: string } | undefined;
	let welcome: ((socket: Socket) => void) | undefined;

	/** Listens at once: while the call has not returned yet, others can connect. */
	async function listen() {
		const path = paths().process(id);
		if (own?.path === path && existsSync(path)) return;
		own?.server.close();
		const server = createServer(socket => (welcome ? welcome(socket) : socket.destroy())).unref();
		own = { path, server };
		await once(server.listen(path), 'listening');
		chmodSync(path, 0o600);
	}

	/** Makes the path lead to this process. Returns the place of the link, or undefined if another process listens there. */
	async function claim(path: string, replaces?: string): Promise<string | undefined> {
		await listen();
		const socket = paths().process(id);
		if (!isLinked(socket, path)) {
			const holder = placeOf(path);
			const isReplaced = holder !== undefined && holder === replaces;
			if (!isReplaced && (await isListening(path))) return undefined;
			removeLink(path, holder, `${path}.${id}`);
			if (!isLinked(socket, path)) return undefined;
		}
		return placeOf(path);
	}

	async function elect(canLead: boolean, replaces?: string): Promise<ElectionResult> {
		try {
			const { leader } = paths();
			for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
				const found = placeOf(leader);
				const isReplaced = found !== undefined && found === replaces;
				const socket = isReplaced ? undefined : await connectTo(leader);
				if (socket) return { role: 'follower', socket, place: found };
				if (!canLead) break;
				const place = await claim(leader, replaces);
				if (place === undefined) continue;
				removeDeadSockets(paths(), id).catch(() => {});
				return { role: 'leader', listener: listenerAt(leader, place) };
			}
			return { role: 'alone', records: false };
		} catch {
			return { role: 'alone', records: canLead };
		}
	}

	const listenerAt = (path: string, place: string): Listener => ({
		welcome(call) {
			welcome = call;
		},
		isInPlace: () => placeOf(path) === place,
		close() {
			welcome = undefined;
			release(path, place);
		},
	});

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
		async takeLock() {
			const path = `${paths().leader}.lock`;
			const place = await claim(path);
			return place === undefined ? undefined : () => release(path, place);
		},
		listen,
		async hasEnded(other) {
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

/** Killed processes leave them behind. */
async function removeDeadSockets({ leader, process }: SocketPaths, id: string) {
	const folder = dirname(leader);
	for (const name of readdirSync(folder)) {
		const path = join(folder, name);
		if (!name.startsWith('process-') || path === process(id)) continue;
		if (!(await isListening(path))) undefinedIfMissing(() => unlinkSync(path));
	}
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

function release(path: string, place: string) {
	if (placeOf(path) === place) undefinedIfMissing(() => unlinkSync(path));
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
export function earlierSocketsOf(owner: SocketOwner): readonly string[] {
	const names = [`watch-${ownerOf(owner)}-p3.sock`];
	for (let number = 1; number < protocolNumber; number += 1)
		names.push(`leader-${ownerOf(owner)}-${number}.sock`);
	return names.map(name => join(owner.stateFolder, name));
}

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
