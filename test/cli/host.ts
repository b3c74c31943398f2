import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { createTokenCache } from '../../source/accounts/token-cache.ts';
import { commands } from '../../source/cli/catalog.ts';
import type { Command } from '../../source/cli/command.ts';
import { runCommandLine } from '../../source/cli/command-line.ts';
import type { Host } from '../../source/session/host.ts';
import {
	createSimulator,
	type Simulator,
	type SimulatorOptions,
} from '../../source/simulator/simulator.ts';
import { environmentOf, profileTable } from '../driver/account.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';
import { temporaryFolder } from '../journal/state-directory.ts';
import { untilUnchanged } from '../until-unchanged.ts';
import { loadLazyModules } from './lazy-modules.ts';

await loadLazyModules();

/** The simulated time after which a command that has not ended counts as hanging. */
const longest = 6 * 3_600_000;

export type HeldSimulator = Simulator & { clock: HeldClock };

export async function startSimulator(
	options: Partial<Omit<SimulatorOptions, 'clock'>> & { clock?: HeldClock } = {},
): Promise<HeldSimulator> {
	const { clock = createHeldClock() } = options;
	const simulator = await createSimulator({ computers: 3, ...options, clock });
	onTestFinished(simulator.close);
	return { ...simulator, clock };
}

let hosts = 0;

type Options = {
	env?: Record<string, string>;
	isTerminal?: boolean;
	columns?: number;
	/** The clock of the simulator, if the host and the simulator must share one clock. */
	clock?: HeldClock;
	commands?: readonly Command[];
	/** Sends the requests, instead of Node's own fetch. */
	send?: Host['fetch'];
};

type Wait = { isSo: () => boolean; end: number; resolve(): void; reject(error: Error): void };

/** The identity of a machine, for hosts whose processes know of each other. */
export const bootIdentity = () => ['machine', 'boot'];

export type CommandResult = { code: number; out: string; err: string };

export type TestHost = ReturnType<typeof createTestHost>;

/**
 * Creates a host like the one of main.ts, with streams as its terminal, temporary folders and a held clock. While
 * a test waits, the clock jumps to the next timer, but only when the program is idle. So a test never waits in
 * real time, and a slow machine changes nothing.
 */
export function createTestHost(options: Options = {}) {
	const { env = {}, isTerminal = true, columns = 120, clock = createHeldClock() } = options;
	const { send = fetch } = options;
	const folder = temporaryFolder();
	const terminal = createTerminal(isTerminal, columns);
	const signals = new Map<string, () => void>();
	const program = {
		...terminal.streams,
		env: {
			PATH: process.env['PATH'],
			TERM: 'xterm-256color',
			CROWSNEST_CONFIG_DIR: join(folder, 'config'),
			CROWSNEST_STATE_DIR: join(folder, 'state'),
			...env,
		},
		platform: process.platform,
		pid: process.pid,
		version: process.version,
		on: (name: string, call: () => void) => signals.set(name, call),
		off: (name: string) => signals.delete(name),
		kill: () => true,
	};
	let [asked, answered, answeredTo, runs, draws] = [0, 0, 0, 0, 0];
	const host: Host = {
		program: program as unknown as Host['program'],
		clock,
		msSinceBoot: clock.now,
		processId: `process-${++hosts}`,
		home: folder,
		// Nearly the same each time, and yet the operations of two commands have different keys.
		random: () => 0.5 + 2 ** -40 * draws++,
		fetch(...request) {
			asked += 1;
			return send(...request).finally(() => {
				answered += 1;
			});
		},
		spawn,
		version: '1.2.3',
	};

	const waiting = new Set<Wait>();
	let isPassing = false;

	/**
	 * Waits until a condition is true, and advances the clock while the program is idle. Several waits can go on at the
	 * same time.
	 */
	function until(isSo: () => boolean): Promise<void> {
		const waited = new Promise<void>((resolve, reject) => {
			waiting.add({ isSo, end: clock.now() + longest, resolve, reject });
		});
		void letTimePass();
		return waited;
	}

	// When a wait is over, the clock stops, so that the test can act before anything else happens.
	async function letTimePass(): Promise<void> {
		if (isPassing) return;
		isPassing = true;
		while (waiting.size > 0) {
			await untilUnchanged(() => [asked, answered, terminal.output().length, clock.waiting]);
			const over = [...waiting].filter(({ isSo }) => isSo());
			for (const each of over) {
				waiting.delete(each);
				each.resolve();
			}
			if (over.length > 0) continue;
			const isStuck = !clock.moveToNext(longest);
			const isLost = (each: Wait) => clock.now() >= each.end || (isStuck && runs === 0);
			for (const each of [...waiting].filter(isLost)) {
				waiting.delete(each);
				each.reject(new Error(`it never came to that:\n${terminal.output()}`));
			}
		}
		isPassing = false;
	}

	const see = (wanted: string | RegExp) =>
		until(() => {
			const seen = terminal.output();
			return typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen);
		});

	/** Runs the program with these arguments, and resolves with its exit code. */
	async function run(...words: readonly string[]): Promise<number> {
		let isOver = false;
		runs += 1;
		const running = runCommandLine(host, options.commands ?? commands, words).finally(() => {
			isOver = true;
			runs -= 1;
		});
		// The wait also ends if the command throws. Its error is thrown again below.
		running.catch(() => undefined);
		await until(() => isOver);
		return running;
	}

	return {
		host,
		/** The temporary folder with the configuration and the state. */
		folder,
		clock,
		stdin: terminal.streams.stdin,
		stdout: terminal.streams.stdout,
		/** Returns whether the terminal is in raw mode, in which it does not show the pressed keys. */
		isRaw: terminal.isRaw,
		/** Returns everything that was written to stdout and stderr. */
		output: terminal.output,
		until,
		see,
		signal: (name: string) => signals.get(name)?.(),
		/** Waits until the output since the last answer contains a text, and then types. */
		async answer(question: string, typed: string) {
			await until(() => terminal.output().includes(question, answeredTo));
			answeredTo = terminal.output().indexOf(question, answeredTo) + question.length;
			terminal.streams.stdin.write(typed);
		},
		/** Lets this time pass, in which the program does what it does then. */
		pass(milliseconds: number) {
			const end = clock.now() + milliseconds;
			return until(() => clock.now() >= end);
		},
		/** Writes the configuration, for nobody else to read. */
		configure(text: string) {
			mkdirSync(join(folder, 'config'), { recursive: true, mode: 0o700 });
			writeFileSync(join(folder, 'config', 'config.toml'), text, { mode: 0o600 });
		},
		run,
		/** Runs the program, and resolves with its exit code and with what it wrote to stdout and stderr. */
		async ran(...words: readonly string[]): Promise<CommandResult> {
			terminal.forget();
			answeredTo = 0;
			const code = await run(...words);
			await new Promise(setImmediate);
			return { code, ...terminal.written() };
		},
	};
}

function createTerminal(isTerminal: boolean, columns: number) {
	const stdin = new PassThrough();
	const [stdout, stderr] = [new PassThrough(), new PassThrough()];
	const state = { isRaw: false, both: '', out: '', err: '' };
	const keep = (name: 'out' | 'err') => (chunk: Buffer) => {
		state[name] += chunk.toString();
		state.both += chunk.toString();
	};
	stdout.on('data', keep('out'));
	stderr.on('data', keep('err'));
	// Each run adds a listener, which handles writes to a closed pipe after the command has ended, so the limit for
	// listeners is raised.
	stdout.setMaxListeners(100);
	const size = { isTTY: isTerminal, columns, rows: 40 };
	const input = Object.assign(stdin, {
		isTTY: isTerminal,
		setRawMode(mode: boolean) {
			state.isRaw = mode;
			return input;
		},
	});
	return {
		streams: {
			stdin: input,
			stdout: Object.assign(stdout, size),
			stderr: Object.assign(stderr, size),
		},
		isRaw: () => state.isRaw,
		output: () => state.both,
		written: () => ({ out: state.out, err: state.err }),
		forget: () => Object.assign(state, { both: '', out: '', err: '' }),
	};
}

/** Returns a token that the simulator accepts. */
export async function tokenOf(simulator: HeldSimulator): Promise<string> {
	const { authUrl, anonKey, email, password } = simulator;
	const response = await fetch(`${authUrl}/auth/v1/token?grant_type=password`, {
		method: 'POST',
		headers: { apikey: anonKey, 'content-type': 'application/json' },
		body: JSON.stringify({ email, password }),
	});
	return ((await response.json()) as { access_token: string }).access_token;
}

/** Creates a host whose environment has the account of a simulator, and which shares the simulator's clock. */
export function createOperateHost(
	simulator: HeldSimulator,
	options: Omit<Options, 'clock' | 'send'> = {},
) {
	const { clock } = simulator;
	const env = { ...environmentOf(simulator), ...options.env };
	const test = createTestHost({ isTerminal: false, ...options, clock, env });
	return { ...test, run: test.ran };
}

/** Returns the requests that change something and reached the platform, such as `POST …/stop`. */
export function changesOf({ requests }: Simulator): readonly string[] {
	return requests
		.filter(({ method, path }) => method !== 'GET' && !path.includes('/auth/'))
		.map(({ method, path }) => `${method} ${path.replace(/^.*\/sandbox/, '')}`);
}

/** A profile of the configuration, its platform, and further lines of its table. */
export type ProfileOnSimulator = { simulator: HeldSimulator; lines?: readonly string[] };

/**
 * Creates a host whose configuration has a profile for each simulator. The simulators share one clock. Each profile
 * is signed in already, unless `isSignedOut`.
 */
export async function createSeveralAccountsHost(
	profiles: Readonly<Record<string, ProfileOnSimulator>>,
	options: Pick<Options, 'isTerminal' | 'columns' | 'env'> & {
		top?: readonly string[];
		isSignedOut?: boolean;
	} = {},
) {
	const { top = [], isSignedOut = false, isTerminal = false, ...others } = options;
	const [clock] = Object.values(profiles).map(({ simulator }) => simulator.clock);
	const test = createTestHost({ ...others, isTerminal, ...(clock && { clock }) });
	const tables = Object.entries(profiles).map(
		([name, { simulator, lines = [] }]) => profileTable(name, simulator) + lines.join('\n'),
	);
	test.configure([...top, ...tables, ''].join('\n'));
	for (const [name, { simulator }] of isSignedOut ? [] : Object.entries(profiles)) {
		const { baseUrl, authUrl, anonKey, email } = simulator;
		const credentials = {
			kind: 'password',
			authUrl,
			anonKey: () => anonKey,
			email,
			passwordTimeout: 1,
		} as const;
		const tokenPath = join(test.folder, 'state', 'tokens', `${name}.json`);
		createTokenCache({ baseUrl, credentials, tokenPath }, expect.unreachable).save({
			accessToken: await tokenOf(simulator),
		});
	}
	return { ...test, run: test.ran };
}

/** Starts two platforms whose computers have the same ids and names, with a profile for each. */
export async function startWorkAndLab() {
	const work = await startSimulator();
	const lab = await startSimulator({ clock: work.clock });
	return { work, lab, profiles: { work: { simulator: work }, lab: { simulator: lab } } };
}

/** Creates a host with two such platforms. */
export async function startTwins(options?: Parameters<typeof createSeveralAccountsHost>[1]) {
	const { work, lab, profiles } = await startWorkAndLab();
	const host = await createSeveralAccountsHost(profiles, options);
	return { work, lab, host };
}
