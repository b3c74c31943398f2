import { createServer, type Socket } from 'node:net';
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
import { temporaryFolder } from '../journal/state-directory.ts';
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
export async function openFollowed(count: 1 | 2 | 3) {
	const panes = await openPanes();
	const opened: Pane[] = [];
	for (let pid = 1; pid <= count; pid += 1) {
		const pane = panes.open(pid);
		opened.push(pane);
		const isInRole = () => pid === 1 || pane.role() === 'following';
		await panes.until(() => pane.state().computers.size > 0 && isInRole(), 2_000);
	}
	const [first, second, third] = opened as [Pane, Pane, Pane];
	return { ...panes, opened, first, second, third };
}

export const idOf = (pane: Pane, name: string) =>
	[...pane.state().computers.values()].find(({ reading }) => reading.name === name)?.id ?? '';

/** Asks for an operation in a pane, and confirms it. */
export function ask({ operations }: Pane, operation: string, ...ids: readonly string[]) {
	const asked = operations.ask(
		operation,
		ids.map(id => globalIdOf('test', id)),
	);
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
	const folder = temporaryFolder();
	const clock = createHeldClock();
	const simulator = await createSimulator({ clock, computers: 7, ...options });
	onTestFinished(simulator.close);
	const requestLog = createMemoryLog(clock);
	const owner = { stateFolder: folder, account: 'test', hostId: 'host' };
	const path = createElection({ id: 'test', ...owner }).leaderPath() ?? '';
	const activity = createActivity();
	/** Which pane asked the platform for a list, and when. */
	const polls: { pid: number; at: number }[] = [];
	/** Which pane asked the platform for what. */
	const sent: { pid: number; path: string }[] = [];

	/** Sockets and requests need turns of the event loop, and timers need the time of the held clock. */
	async function until(condition: () => boolean, limitMs = 0): Promise<void> {
		let left = limitMs;
		for (let turns = 1; !condition(); turns += 1) {
			if (turns > maxTurns) throw new Error('the condition never held');
			if (turns % 200 === 0 && left > 0) {
				clock.move(10);
				left -= 10;
			}
			await turn();
		}
	}

	function open(pid: number, paneOptions: PaneOptions = {}): Pane {
		const { passwordOf = async () => simulator.password, isCutOff = () => false } = paneOptions;
		const { isReadOnly = false, isAlone = false } = paneOptions;
		const { baseUrl, authUrl, anonKey, email } = simulator;
		const passwordRequest = createPasswordRequest({ email, host: 'id.example' });
		const password = typedOnceForgotten(passwordOf, passwordRequest);
		const sockets = new Set<Socket>();
		const { elect, ...election } = createElection({ id: String(pid), ...owner });
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
					sent.push({ pid, path: String(url) });
					if (String(url).endsWith('/sandbox')) polls.push({ pid, at: clock.now() });
					return fetch(url, init);
				},
				credentials: { kind: 'password', authUrl, anonKey, email, ...password },
				passwordRequest,
				election: {
					...election,
					async elect(...each) {
						const result = await elect(...each);
						if (result.role === 'follower') sockets.add(result.socket);
						return result;
					},
				},
				sharesWatch: !isAlone,
			},
			{ skipsCountdown: true },
		);
		onTestFinished(() => session.close());
		const facts: Fact[] = [];
		session.store.onFact(fact => facts.push(fact));
		const state = () => session.store.getState().accounts.get('test') ?? emptyAccount;
		const program = { env: { CROWSNEST_STATE_DIR: folder } };
		followLog(
			{ ...host, home: folder, processId: String(pid), program } as unknown as Host,
			session,
		);
		session.watch.start();
		return Object.assign(session, {
			pid,
			facts,
			state,
			cut: () => sockets.forEach(socket => void socket.destroy()),
			stopReading: () => sockets.forEach(socket => void socket.pause()),
			continueReading: () => sockets.forEach(socket => void socket.resume()),
			role() {
				const { leader, followers } = state().sharedWatch ?? {};
				if (leader !== undefined) return 'following';
				return followers === undefined ? 'alone' : 'leading';
			},
		});
	}

	/** Passes time in steps. The clock does not move while a request waits for its answer. Without a due timer, nothing happens. */
	async function pass(milliseconds: number, step = 100) {
		for (let left = milliseconds; left > 0; left -= step) {
			const [soonest = Number.POSITIVE_INFINITY] = clock.due;
			clock.move(Math.min(step, left));
			if (soonest > step) continue;
			for (let turns = 0; turns < 60; turns += 1) await turn();
			for (let turns = 0; activity.pendingCount > 0 && turns < maxTurns; turns += 1) await turn();
		}
	}

	/** Ends a pane as `kill -9` does: it says nothing more, and the system closes its connections. */
	async function kill(pane: Pane) {
		pane.store.receive = () => {};
		await pane.close();
	}

	return { clock, simulator, folder, path, polls, sent, open, until, pass, kill };
}
