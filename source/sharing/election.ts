import {
	chmodSync,
	existsSync,
	linkSync,
	readdirSync,
	renameSync,
	statSync,
	unlinkSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { undefinedIfMissing } from '../accounts/private-file.ts';
import type { Clock } from '../foundation/clock.ts';
import { hasCode } from '../foundation/error.ts';
import { connectTo, isListening } from './socket.ts';
import type { SocketPaths } from './socket-paths.ts';

export type ElectionResult =
	| { role: 'leader'; listener: Listener }
	/** `place` identifies the socket at the path. */
	| { role: 'follower'; socket: Socket; place: string | undefined }
	/** `records`: no socket can be made, so that no other process can record for this one. */
	| { role: 'alone'; records: boolean };

export type Listener = {
	server: Server;
	/** Whether the path still leads to this socket. A person may delete the file, and another process replace it. */
	isInPlace(): boolean;
	/** Also removes the path, if it still leads to this socket. */
	close(): void;
};

export type Release = () => void;

type ElectOptions = {
	canLead: boolean;
	/** The place of the socket of a leader that does not answer. It is not connected to, but replaced. */
	replaces?: string | undefined;
	/** If this process holds it. It is released afterwards. */
	lock?: Release | undefined;
};

export type Election = {
	id: string;
	elect(options: ElectOptions): Promise<ElectionResult>;
	/** Undefined while another process holds it. */
	takeLock(): Promise<Release | undefined>;
	/** Listens on the socket by which others know that this process has not ended. */
	listen(): Promise<void>;
	/** False if that cannot be known. */
	hasEnded(id: string): Promise<boolean>;
	leaderPath(): string | undefined;
	close(): void;
};

type ElectionOptions = { id: string; clock: Clock; paths: () => SocketPaths };

// A holder of the lock needs a few milliseconds. If it still holds the lock after a second, the machine is very busy, or
// a leader is silent and the holder reads in its place.
const lockRetryMs = 10;
const maxAttempts = 100;

/**
 * Elects the process that listens:
 *
 * ```
 *   connect ── works ──────────────────────────────▶ follower
 *      │ no socket, or refused
 *   start lock ── held by a living process ──▶ wait, connect again
 *      │ taken
 *   connect ── works ──────────────────────────────▶ follower
 *      │
 *   listen at a temporary name, remove the dead socket, link ──▶ leader
 * ```
 *
 * Any other error than a refused connection leads to watching alone, because the log of requests keeps the limits anyway.
 */
export function createElection({ id, clock, paths }: ElectionOptions): Election {
	let own: { server: Server; path: string } | undefined;

	/** Listens at once: while the call has not returned yet, others can connect. */
	async function listen() {
		const path = paths().process(id);
		if (own?.path === path && existsSync(path)) return;
		own?.server.close();
		own = { path, server: createServer(socket => socket.destroy()).unref() };
		await listening(own.server, path);
	}

	async function takeLock(): Promise<Release | undefined> {
		await listen();
		const { leader, process } = paths();
		const path = `${leader}.lock`;
		if (!isLinked(process(id), path)) {
			const holder = placeOf(path);
			if (await isListening(path)) return undefined;
			removeLockOf(holder, path, `${path}.${id}`);
			if (!isLinked(process(id), path)) return undefined;
		}
		return () => void undefinedIfMissing(() => unlinkSync(path));
	}

	/** Killed processes leave them behind. */
	async function removeDeadSockets() {
		const { leader, process } = paths();
		const folder = dirname(leader);
		for (const name of readdirSync(folder)) {
			const path = join(folder, name);
			if (!name.startsWith('process-') || path === process(id)) continue;
			if (!(await isListening(path))) undefinedIfMissing(() => unlinkSync(path));
		}
	}

	async function connected(replaces: string | undefined) {
		const { leader } = paths();
		const place = placeOf(leader);
		if (place !== undefined && place === replaces) return undefined;
		const socket = await connectTo(leader);
		return socket && { role: 'follower' as const, socket, place };
	}

	async function elect({ canLead, replaces, lock }: ElectOptions): Promise<ElectionResult> {
		let held = lock;
		try {
			for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
				const following = await connected(replaces);
				if (following) return following;
				if (!canLead) break;
				if (held) {
					await removeDeadSockets();
					return await leadingAt(paths().leader, id);
				}
				held = await takeLock();
				if (!held) await new Promise<void>(resolve => void clock.after(lockRetryMs, resolve));
			}
			return { role: 'alone', records: false };
		} catch {
			return { role: 'alone', records: canLead };
		} finally {
			held?.();
		}
	}

	return {
		id,
		takeLock,
		listen,
		elect,
		async hasEnded(other) {
			try {
				return !(await isListening(paths().process(other)));
			} catch {
				return false;
			}
		},
		leaderPath() {
			try {
				return paths().leader;
			} catch {
				return undefined;
			}
		},
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

/** Another process may have replaced it since then: its lock goes back. */
function removeLockOf(ended: string | undefined, path: string, removed: string) {
	if (undefinedIfMissing(() => renameSync(path, removed) ?? true) === undefined) return;
	if (placeOf(removed) !== ended) isLinked(removed, path);
	unlinkSync(removed);
}

function listening(server: Server, path: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(path, () => {
			server.removeListener('error', reject);
			resolve();
		});
	});
}

/** Listens under a temporary name first, so that every process that finds the socket can connect. */
async function leadingAt(path: string, id: string): Promise<ElectionResult> {
	const draft = `${path}.${id}`;
	const server = createServer();
	try {
		await listening(server, draft);
		chmodSync(draft, 0o600);
		undefinedIfMissing(() => unlinkSync(path));
		linkSync(draft, path);
	} catch (error) {
		server.close();
		throw error;
	} finally {
		undefinedIfMissing(() => unlinkSync(draft));
	}
	const place = placeOf(path);
	const isInPlace = () => place !== undefined && placeOf(path) === place;
	const close = () => {
		if (isInPlace()) undefinedIfMissing(() => unlinkSync(path));
		server.close();
	};
	return { role: 'leader', listener: { server, isInPlace, close } };
}
