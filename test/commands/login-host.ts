import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { commands } from '../../source/commands/catalog.ts';
import { runCommandLine } from '../../source/commands/command-line.ts';
import type { Host } from '../../source/commands/host.ts';
import type { Clock } from '../../source/fleet/clock.ts';
import { createSimulator, type SimulatorOptions } from '../../source/simulator/simulator.ts';

export const realClock: Clock = {
	now: () => Date.now(),
	after(milliseconds, call) {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};

export async function startSimulator(options: Partial<SimulatorOptions> = {}) {
	const simulator = await createSimulator({ clock: realClock, computers: 3, ...options });
	onTestFinished(simulator.close);
	return simulator;
}

export type TestHost = {
	host: Host;
	/** Where its configuration and its state are. */
	folder: string;
	stdin: PassThrough;
	/** Whether keys come as they are pressed, unseen. */
	isRaw(): boolean;
	/** Everything that was written to both outputs. */
	output(): string;
	/** Waits until the output holds that text, and then types. */
	answer(question: string, typed: string): Promise<void>;
	/** Runs the program with these words, and ends with its exit code. */
	run(...words: readonly string[]): Promise<number>;
};

/** A host as main.ts makes one, with a terminal of streams and folders of its own. */
export function createTestHost(
	options: { env?: Record<string, string>; isTerminal?: boolean; columns?: number } = {},
): TestHost {
	const { env = {}, isTerminal = true, columns = 120 } = options;
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-accounts-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const stdin = new PassThrough();
	const screen = new PassThrough();
	let written = '';
	let seen = 0;
	let isRaw = false;
	screen.on('data', (chunk: Buffer) => {
		written += chunk.toString('utf8');
	});
	const terminal = { isTTY: isTerminal, columns, rows: 40 };
	const program = {
		stdin: Object.assign(stdin, {
			isTTY: isTerminal,
			setRawMode(mode: boolean) {
				isRaw = mode;
				return stdin;
			},
		}),
		stdout: Object.assign(screen, terminal),
		stderr: screen,
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
		on: () => program,
		off: () => program,
		kill: () => true,
	};
	const host: Host = {
		program: program as unknown as Host['program'],
		clock: realClock,
		elapsed: () => performance.now(),
		home: folder,
		random: () => 0.5,
		fetch,
		spawnSelf() {
			throw new Error('nothing here starts another process');
		},
		version: '1.2.3',
	};
	return {
		host,
		folder,
		stdin,
		isRaw: () => isRaw,
		output: () => written,
		async answer(question, typed) {
			while (!written.includes(question, seen)) {
				await new Promise(resolve => setTimeout(resolve, 5));
			}
			seen = written.indexOf(question, seen) + question.length;
			stdin.write(typed);
		},
		run: (...words) => runCommandLine(host, commands, words),
	};
}
