import { once } from 'node:events';
import {
	chmodSync,
	existsSync,
	lstatSync,
	readdirSync,
	readlinkSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { refuseShared } from '../accounts/private-file.ts';
import { hasCode } from '../foundation/error.ts';
import { makeFolder } from '../foundation/make-folder.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { connectTo, isListening } from './socket.ts';

/** The number of the protocol between leader and followers. Programs with different numbers do not meet. */
const protocolNumber = 7;

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
	/** `place` is the name of the leader's link. */
	| { role: 'follower'; socket: Socket; place: string }
	/** `records`: no socket can be made, so that no other process can record for this one. */
	| { role: 'alone'; records: boolean };

export type Election = ReturnType<typeof createElection>;

/** After so many attempts, others replace each other faster than this process can connect to one of them. */
const maxAttempts = 10;

/**
 * Each process listens on a socket of its own. A leader also has a numbered link to it, and the link with the highest number
 * counts:
 *
 * ```
 *   latest link ── leads to a process that listens ──────▶ follower
 *       ▲    │ none, or refused
 *       │  create the next link ──▶ leader, which removes the earlier links
 *       └────┘ it exists: another process was faster
 * ```
 *
 * So only its leader ever removes the link that counts. Any other error than a refused connection leads to reading alone,
 * because the log of requests keeps the limits anyway.
 */
export function createElection({ id, ...owner }: SocketOwner & { id: string }) {
	const name = shortHash(`${owner.account}\n${owner.hostId}`, 12);
	const prefix = `leader-${name}-${protocolNumber}-`;
	let server: Server | undefined;
	let ownLink: string | undefined;
	let welcome = (socket: Socket): void => void socket.destroy();

	/** While a process listens there, others know that it has not ended. */
	const processSocket = (process: string) => `process-${name}-${shortHash(process, 8)}.sock`;

	/** Oldest first. */
	const linksIn = (folder: string) =>
		readdirSync(folder)
			.filter(each => each.startsWith(prefix))
			.sort();

	function linkAfter(latest: string | undefined): string {
		const number = Number.parseInt(latest?.slice(prefix.length) ?? '0', 10) + 1;
		return `${prefix}${String(number).padStart(6, '0')}.sock`;
	}

	/** Where the leader can be reached, if there is one. */
	function leaderPath(): string | undefined {
		const folder = socketFolder(owner);
		return folder && join(folder, linksIn(folder).at(-1) ?? linkAfter(undefined));
	}

	/** While the call has not returned yet, others can connect. */
	async function listen() {
		const folder = socketFolder(owner);
		const path = folder && join(folder, processSocket(id));
		if (!path || (server && existsSync(path))) return;
		server?.close();
		server = createServer(socket => welcome(socket)).unref();
		await once(server.listen(path), 'listening');
		chmodSync(path, 0o600);
	}

	/** A leader at the place `replaced` counts as dead. */
	async function elect(canLead: boolean, replaced?: string): Promise<ElectionResult> {
		const folder = socketFolder(owner);
		if (!folder) return { role: 'alone', records: canLead };
		try {
			for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
				const place = linksIn(folder).at(-1);
				if (place !== undefined && place !== replaced) {
					const socket = await connectTo(join(folder, place));
					if (socket) return { role: 'follower', socket, place };
				}
				if (!canLead) break;
				await listen();
				if (succeed(folder, place)) return { role: 'leader' };
			}
			return { role: 'alone', records: false };
		} catch {
			return { role: 'alone', records: canLead };
		}
	}

	/** False if another process was faster. */
	function succeed(folder: string, latest: string | undefined): boolean {
		const [links, next] = [linksIn(folder), linkAfter(latest)];
		if (links.at(-1) !== latest) return false;
		try {
			symlinkSync(processSocket(id), join(folder, next));
		} catch (error) {
			if (hasCode(error, 'EEXIST')) return false;
			throw error;
		}
		ownLink = next;
		for (const earlier of links) rmSync(join(folder, earlier), { force: true });
		return true;
	}

	/** A person may delete the link, and another process replace this one. */
	function isInPlace(): boolean {
		const folder = socketFolder(owner);
		if (!folder || !ownLink || linksIn(folder).at(-1) !== ownLink) return false;
		return readlinkSync(join(folder, ownLink)) === processSocket(id);
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
			ownLink = undefined;
		},
		/** False if that cannot be known. */
		async hasEnded(other: string): Promise<boolean> {
			const folder = socketFolder(owner);
			const path = folder && join(folder, processSocket(other));
			if (!path || (await isListening(path))) return false;
			// A process that was killed has left it behind.
			rmSync(path, { force: true });
			return true;
		},
		leaderPath,
		/** Whether a pane of another build leads, which shares nothing with this one. */
		async isOtherBuildOpen(): Promise<boolean> {
			const folder = socketFolder(owner);
			const others = (folder ? readdirSync(folder) : []).filter(
				each => each.startsWith(`leader-${name}-`) && !each.startsWith(prefix),
			);
			const answers = others.map(each => isListening(join(folder ?? '', each)));
			return (await Promise.all(answers)).includes(true);
		},
		close: () => void server?.close(),
	};
}
