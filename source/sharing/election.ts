import { chmodSync, linkSync, statSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { undefinedIfMissing } from '../accounts/private-file.ts';
import type { Clock } from '../foundation/clock.ts';
import { hasCode, stateFileErrorText } from '../foundation/error.ts';
import { type LockHolder, takeStartLock } from './start-lock.ts';

/** The role that a process gets: it listens, it is connected to the process that listens, or it watches alone. */
export type ElectionResult =
	| { role: 'leader'; listener: Listener }
	/** `place` identifies the socket at the path. */
	| { role: 'follower'; socket: Socket; place: string | undefined }
	/** `isForNow`: the obstacle probably ends within a moment. */
	| { role: 'alone'; reason: string; isForNow?: boolean };

/** The listening socket of a leader. */
export type Listener = {
	server: Server;
	/** Whether the path still leads to this socket. A person may delete the file, and another process replace it. */
	isInPlace(): boolean;
	/** Stops listening, and removes the path if it still leads to this socket. */
	close(): void;
};

export type ElectionOptions = {
	path: string;
	holder: LockHolder;
	isRunning: (pid: number) => boolean;
	/** Whether this process may become the process that listens. */
	canLead: boolean;
	/** The socket of a process that does not answer. It is not connected to, but replaced. */
	replaces?: string | undefined;
	clock: Clock;
	/** Returns a number from 0 up to, but not including, 1. */
	random: () => number;
};

// A holder of the lock needs a few milliseconds. If it still holds the lock after a second, the machine is very busy, or
// something is wrong.
const lockRetryMs = 10;
const maxLockRetries = 100;

/**
 * Connects to the process that listens, or becomes the process that listens:
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
 * Only a refused connection shows that a socket is dead: a slow or stopped process still accepts connections. Any other
 * error leads to watching alone, because the log of requests keeps the limits anyway.
 */
export async function elect(options: ElectionOptions): Promise<ElectionResult> {
	try {
		for (let attempt = 0; attempt < maxLockRetries; attempt += 1) {
			const following = await connected(options);
			if (following) return following;
			if (!options.canLead) return { role: 'alone', reason: 'signed out' };
			const uniqueSuffix = uniqueSuffixFrom(options);
			const release = takeStartLock({
				path: `${options.path}.lock`,
				holder: options.holder,
				isRunning: options.isRunning,
				uniqueSuffix,
			});
			if (release) {
				try {
					return await connectOrListen(options, uniqueSuffix);
				} finally {
					release();
				}
			}
			await new Promise<void>(resolve => void options.clock.after(lockRetryMs, resolve));
		}
		return { role: 'alone', reason: 'another process holds the start lock', isForNow: true };
	} catch (error) {
		return { role: 'alone', reason: stateFileErrorText(error) };
	}
}

/**
 * Takes the right to read in the place of a leader that is silent, and returns a function that gives it up; undefined while
 * another follower has it. Where no lock can be written, each follower reads: the log of requests keeps the limits.
 */
export function takePlaceOfSilentLeader(
	options: Pick<ElectionOptions, 'path' | 'holder' | 'isRunning' | 'random'>,
): (() => void) | undefined {
	const { path, holder, isRunning } = options;
	try {
		const uniqueSuffix = uniqueSuffixFrom(options);
		return takeStartLock({ path: `${path}.reader`, holder, isRunning, uniqueSuffix });
	} catch {
		return () => {};
	}
}

const uniqueSuffixFrom = ({ random }: Pick<ElectionOptions, 'random'>) =>
	Math.floor(random() * 0x1_0000_0000)
		.toString(16)
		.padStart(8, '0');

async function connectOrListen(
	options: ElectionOptions,
	uniqueSuffix: string,
): Promise<ElectionResult> {
	const following = await connected(options);
	return following ?? { role: 'leader', listener: await listenAt(options.path, uniqueSuffix) };
}

/** Connects to the process that listens; undefined if no process does, or if it is the one to be replaced. */
async function connected({
	path,
	replaces,
}: ElectionOptions): Promise<Extract<ElectionResult, { role: 'follower' }> | undefined> {
	const place = placeOf(path);
	if (place !== undefined && place === replaces) return undefined;
	const socket = await connection(path);
	return socket && { role: 'follower', socket, place };
}

/** Returns what identifies the file at a path; undefined if there is none. */
function placeOf(path: string): string | undefined {
	const found = statSync(path, { throwIfNoEntry: false });
	return found && `${found.ino} ${found.birthtimeMs}`;
}

/** Returns a connection to the process that listens; undefined if no process does. */
function connection(path: string): Promise<Socket | undefined> {
	return new Promise((resolve, reject) => {
		const socket = connect(path);
		socket.once('connect', () => {
			socket.removeAllListeners('error');
			resolve(socket);
		});
		socket.once('error', error => {
			if (hasCode(error, 'ENOENT', 'ECONNREFUSED')) resolve(undefined);
			else reject(error);
		});
	});
}

/** Listens under a temporary name first, so that every process that finds the socket can connect. */
async function listenAt(path: string, uniqueSuffix: string): Promise<Listener> {
	const draft = `${path}.${uniqueSuffix}`;
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(draft, () => {
			server.removeListener('error', reject);
			resolve();
		});
	});
	try {
		chmodSync(draft, 0o600);
		undefinedIfMissing(() => unlinkSync(path));
		linkSync(draft, path);
		const place = placeOf(path);
		const isInPlace = () => place !== undefined && placeOf(path) === place;
		return {
			server,
			isInPlace,
			close() {
				if (isInPlace()) undefinedIfMissing(() => unlinkSync(path));
				server.close();
			},
		};
	} catch (error) {
		server.close();
		throw error;
	} finally {
		undefinedIfMissing(() => unlinkSync(draft));
	}
}

/** Ends a role that the process does not need any more. */
export function discardElection(result: ElectionResult): void {
	if (result.role === 'leader') result.listener.close();
	if (result.role === 'follower') result.socket.destroy();
}
