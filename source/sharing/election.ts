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

/** The number of the protocol between leader and followers. Programs with different numbers do not meet. */
const protocolNumber = 5;

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

const nameOf = ({ account, hostId }: SocketOwner) => shortHash(`${account}\n${hostId}`, 12);

/** Where a pane of an earlier build may lead. */
export const earlierSocketsOf = (owner: SocketOwner): readonly string[] =>
	Array.from({ length: protocolNumber - 1 }, (_, at) =>
		join(owner.stateFolder, `leader-${nameOf(owner)}-${at + 1}.sock`),
	);

/** Undefined if there is no folder that only this user can enter. */
function socketFolder({ stateFolder }: SocketOwner): string | undefined {
	const isShort = Buffer.byteLength(join(stateFolder, longestName)) <= maxPathBytes;
	const folder = isShort ? stateFolder : join(tmpdir(), `crowsnest-${userInfo().uid}`);
	try {
		makeFolder(folder);
		// Not every system checks the mode of a socket, so the folder protects it.
		refuseShared(folder, lstatSync(folder), 0o700);
		return folder;
	} catch {
		return undefined;
	}
}

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
export function createElection({ id, ...owner }: SocketOwner & { id: string }) {
	let server: Server | undefined;
	let ownPlace: string | undefined;
	let welcome = (socket: Socket): void => void socket.destroy();

	function pathOf(name: string): string | undefined {
		const folder = socketFolder(owner);
		return folder && join(folder, name);
	}

	const leaderPath = () => pathOf(`leader-${nameOf(owner)}-${protocolNumber}.sock`);
	/** While a process listens there, others know that it has not ended. */
	const processPath = (process: string) =>
		pathOf(`process-${nameOf(owner)}-${shortHash(process, 8)}.sock`);

	/** While the call has not returned yet, others can connect. */
	async function listen() {
		const path = processPath(id);
		if (!path || (server && existsSync(path))) return;
		server?.close();
		server = createServer(socket => welcome(socket)).unref();
		await once(server.listen(path), 'listening');
		chmodSync(path, 0o600);
	}

	/** A leader at the place `replaced` counts as dead. */
	async function elect(canLead: boolean, replaced?: string): Promise<ElectionResult> {
		const [path, ownPath] = [leaderPath(), processPath(id)];
		if (!path || !ownPath) return { role: 'alone', records: canLead };
		try {
			for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
				const place = placeOf(path);
				const isReplaced = place !== undefined && place === replaced;
				const socket = isReplaced ? undefined : await connectTo(path);
				if (socket) return { role: 'follower', socket, place };
				if (!canLead) break;
				await listen();
				if (place !== undefined) removeLink(path, place, id);
				if (!link(ownPath, path)) continue;
				ownPlace = placeOf(path);
				return { role: 'leader' };
			}
			return { role: 'alone', records: false };
		} catch {
			return { role: 'alone', records: canLead };
		}
	}

	/** A person may delete the file, and another process replace it. */
	function isInPlace(): boolean {
		const path = leaderPath();
		return path !== undefined && ownPlace !== undefined && placeOf(path) === ownPlace;
	}

	return {
		id,
		elect,
		listen,
		isInPlace,
		serve(call: (socket: Socket) => void) {
			welcome = call;
		},
		resign() {
			if (isInPlace()) rmSync(leaderPath() ?? '', { force: true });
			ownPlace = undefined;
		},
		/** False if that cannot be known. */
		async hasEnded(other: string): Promise<boolean> {
			const path = processPath(other);
			if (path === undefined || (await isListening(path))) return false;
			// A process that was killed has left it behind.
			rmSync(path, { force: true });
			return true;
		},
		leaderPath,
		close: () => void server?.close(),
	};
}

function placeOf(path: string): string | undefined {
	const found = statSync(path, { throwIfNoEntry: false });
	return found && `${found.ino} ${found.birthtimeMs}`;
}

/** False if there is something already. */
function link(from: string, path: string): boolean {
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
	if (placeOf(aside) !== place) link(aside, path);
	rmSync(aside, { force: true });
}
