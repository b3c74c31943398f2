import { PassThrough } from 'node:stream';
import { commands } from '../../source/commands/catalog.ts';
import { runCommandLine } from '../../source/commands/command-line.ts';
import type { Host } from '../../source/commands/host.ts';
import { type Simulator, speedUp } from '../../source/simulator/simulator.ts';
import { createTestHost, realClock } from './login-host.ts';

export type Ran = { code: number; out: string; err: string };

/** A host that is signed in to a simulator by its environment, with both outputs apart. */
export function createOperateHost(
	{ baseUrl, authUrl, anonKey, email, password }: Simulator,
	{ isTerminal = false, speed = 1, columns = 120 } = {},
) {
	const test = createTestHost({
		isTerminal,
		env: {
			CROWSNEST_URL: baseUrl,
			CROWSNEST_AUTH_URL: authUrl,
			CROWSNEST_ANON_KEY: anonKey,
			CROWSNEST_EMAIL: email,
			CROWSNEST_PASSWORD: password,
		},
	});
	const signals = new Map<string, () => void>();
	const stdout = Object.assign(new PassThrough(), { isTTY: isTerminal, columns });
	const stderr = Object.assign(new PassThrough(), { isTTY: isTerminal, columns });
	// One of each run stays, for what meets a closed pipe late.
	stdout.setMaxListeners(100);
	let [out, err] = ['', ''];
	stdout.on('data', chunk => {
		out += String(chunk);
	});
	stderr.on('data', chunk => {
		err += String(chunk);
	});
	const program = {
		...test.host.program,
		stdout,
		stderr,
		on: (name: string, call: () => void) => signals.set(name, call),
		off: (name: string) => signals.delete(name),
	};
	const host: Host = {
		...test.host,
		program: program as unknown as Host['program'],
		clock: speedUp(realClock, speed),
		elapsed: () => performance.now() * speed,
	};
	return {
		stdout,
		host,
		folder: test.folder,
		output: () => out + err,
		signal: (name: string) => signals.get(name)?.(),
		/** Waits until that can be read, and then types. */
		async answer(question: string, typed: string) {
			while (!(out + err).includes(question)) await pause();
			test.stdin.write(typed);
		},
		async run(...words: readonly string[]): Promise<Ran> {
			[out, err] = ['', ''];
			const code = await runCommandLine(host, commands, words);
			await pause();
			return { code, out, err };
		},
	};
}

export const pause = () => new Promise<void>(resolve => setTimeout(resolve, 5));

/** The operations that reached the platform, such as `POST …/stop`. */
export function changesOf({ requests }: Simulator): readonly string[] {
	return requests
		.filter(({ method, path }) => method !== 'GET' && !path.includes('/auth/'))
		.map(({ method, path }) => `${method} ${path.replace(/^.*\/sandbox/, '')}`);
}
