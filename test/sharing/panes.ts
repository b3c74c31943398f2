import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createPasswordRequest } from '../../source/accounts/password-request.ts';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { createActivity } from '../../source/foundation/activity.ts';
import { followLog } from '../../source/session/follow-log.ts';
import type { Host } from '../../source/session/host.ts';
import type { AccountSession } from '../../source/session/session.ts';
import { createElection } from '../../source/sharing/election.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { type AccountState, emptyAccount } from '../../source/store/state.ts';
import { createHeldClock } from '../held-clock.ts';
import { createMemoryLog } from '../limits/memory-log.ts';
import { openOnlySession } from '../open-session.ts';
import { profileOf } from '../opened-account.ts';
import { typedOnceForgotten } from '../typed-password.ts';

export type Pane = AccountSession & {
	pid: number;
	facts: Fact[];
	state: () => AccountState;
	/** Cuts the connections of this pane to leaders, as the system does when a receiver does not read. */
	cut: () => void;
	/** Reads nothing that leaders send from now on, as a process that hangs. */
	stopReading: () => void;
	/** Reads again what leaders send. */
	continueReading: () => void;
	role: () => 'leading' | 'following' | 'alone';
};

type PaneOptions = {
	/** Returns the password of the sign-in, or waits for one forever. */
	passwordOf?: () => Promise<string>;
	isReadOnly?: boolean;
	/** Whether this pane polls for itself, as with `--alone`. */
	isAlone?: boolean;
	/** Whether this pane cannot reach the platform, for a reason that concerns only this pane. */
	isCutOff?: () => boolean;
};

/** Opens up to three panes that know the fleet. The second and the third follow the first. */
export async function openFollowed(
	count: 1 | 2 | 3,
	options: Parameters<typeof openPanes>[0] = {},
) {
	const panes = await openPanes(options);
	const { open, until } = panes;
	const opened = [open(1)];
	const isKnown = ({ state }: Pane) => state().computers.size > 0;
	await until(() => opened.every(isKnown), 2_000);
	for (let pid = 2; pid <= count; pid += 1) opened.push(open(pid));
	await until(
		() => opened.every((pane, at) => isKnown(pane) && (at === 0 || pane.role() === 'following')),
		2_000,
	);
	const [first, second, third] = opened as [Pane, Pane, Pane];
	return { ...panes, opened, first, second, third };
}

export const idOf = (pane: Pane, name: string) =>
	[...pane.state().computers.values()].find(({ reading }) => reading.name === name)?.id ?? '';

/** Asks for an operation in a pane, and confirms it. */
export function ask({ operations }: Pane, operation: string, ...ids: readonly string[]) {
	const targets = ids.map(id => globalIdOf('test', id));
	const asked = operations.ask(operation, targets);
	if (asked.type !== 'question') throw new Error('no question');
	operations.answer({ ...asked.question, answers: asked.question.steps.map(() => 'y') });
}

/** Holds the socket of the leader at a path. What it does with a connection, the test says. */
export async function holdSocket(path: string, onConnection: (socket: Socket) => void) {
	const sockets: Socket[] = [];
	const server = createServer(socket => {
		socket.on('error', () => {});
		sockets.push(socket);
		onConnection(socket);
	});
	const close = () => {
		for (const socket of sockets) socket.destroy();
		server.close();
	};
	onTestFinished(close);
	await new Promise<void>(resolve => void server.listen(path, resolve));
	return { sockets, close };
}

/** What a leader says first, and then with each beat. */
export const greeting = '{"type":"hello","id":"99"}\n';
export const heartbeat = '{"type":"beat","usedLast":"99"}\n';

const turn = () => new Promise(setImmediate);
const maxTurns = 200_000;

/** Opens the panes of one account on one host, which share a held clock, a log of requests and a real socket. */
export async function openPanes(options: Partial<Parameters<typeof createSimulator>[0]> = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'sharing-'));
	const clock = createHeldClock();
	const simulator = await createSimulator({ clock, computers: 7, ...options });
	const requestLog = createMemoryLog(clock);
	const path = join(folder, 'watch.sock');
	const activity = createActivity();
	/** Which pane asked the platform for a list, and when. */
	const polls: { pid: number; at: number }[] = [];
	const opened: Pane[] = [];
	onTestFinished(async () => {
		for (const pane of opened) await pane.close();
		await simulator.close();
		rmSync(folder, { recursive: true });
	});

	async function until(condition: () => boolean, limitMs = 0): Promise<void> {
		for (let turns = 0; !condition(); turns += 1) {
			if (turns > maxTurns) throw new Error('the condition never held');
			// Sockets and requests need turns of the event loop, and timers need the time of the held clock.
			if (turns % 200 === 199 && limitMs > 0) {
				clock.move(10);
				limitMs -= 10;
			}
			await turn();
		}
	}

	function open(
		pid: number,
		{
			passwordOf = async () => simulator.password,
			isReadOnly = false,
			isAlone = false,
			isCutOff = () => false,
		}: PaneOptions = {},
	): Pane {
		const { baseUrl, authUrl, anonKey, email } = simulator;
		const passwordRequest = createPasswordRequest({ email, host: 'id.example' });
		const sockets = new Set<Socket>();
		const { elect, ...election } = createElection({
			id: String(pid),
			paths: () => ({ leader: path, process: id => join(folder, `process-${id}.sock`) }),
		});
		const host = { clock, msSinceBoot: clock.now, random: () => (pid % 10) / 10, activity };
		const session = openOnlySession(
			host,
			{
				profile: profileOf('test', { isReadOnly }),
				baseUrl,
				requestLog,
				preferences: { alone: isAlone },
				fetch(url, init) {
					if (isCutOff()) return Promise.reject(new TypeError('fetch failed'));
					if (String(url).endsWith('/sandbox')) polls.push({ pid, at: clock.now() });
					return fetch(url, init);
				},
				credentials: {
					kind: 'password',
					authUrl,
					anonKey,
					email,
					...typedOnceForgotten(passwordOf, passwordRequest),
				},
				passwordRequest,
				election: {
					...election,
					async elect(...each) {
						const result = await elect(...each);
						if (result.role === 'follower') sockets.add(result.socket);
						return result;
					},
				},
				sharing: isAlone ? undefined : { hasScreen: true },
			},
			{ skipsGrace: true },
		);
		const facts: Fact[] = [];
		const cut = () => {
			for (const socket of sockets) socket.destroy();
		};
		session.store.onFact(fact => facts.push(fact));
		const state = () => session.store.getState().accounts.get('test') ?? emptyAccount;
		const pane: Pane = Object.assign(session, {
			pid,
			facts,
			state,
			cut,
			stopReading: () => sockets.forEach(socket => void socket.pause()),
			continueReading: () => sockets.forEach(socket => void socket.resume()),
			role() {
				const { leader, followers } = state().sharedWatch ?? {};
				if (leader !== undefined) return 'following';
				return followers === undefined ? 'alone' : 'leading';
			},
		});
		opened.push(pane);
		const program = { env: { CROWSNEST_STATE_DIR: folder } };
		followLog(
			{ ...host, home: folder, processId: String(pid), program } as unknown as Host,
			session,
		);
		session.watch.start();
		return pane;
	}

	/** Passes time in steps, in which requests and messages arrive. */
	async function pass(milliseconds: number, step = 100) {
		for (let left = milliseconds; left > 0; left -= step) {
			clock.move(Math.min(step, left));
			for (let turns = 0; turns < 60; turns += 1) await turn();
			await answers();
		}
	}

	/**
	 * Waits until no request is under way, so that the held clock does not move while a request waits for its answer.
	 */
	async function answers() {
		for (let turns = 0; activity.pendingCount > 0 && turns < maxTurns; turns += 1) await turn();
	}

	/** Ends a pane as `kill -9` does: it says nothing more, and the system closes its connections. */
	async function kill(pane: Pane) {
		pane.store.receive = () => {};
		await pane.close();
	}

	return { clock, simulator, folder, path, polls, open, until, pass, kill };
}
