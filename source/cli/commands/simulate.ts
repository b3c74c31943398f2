import type { Server } from 'node:net';
import { hasCode } from '../../foundation/error.ts';
import type { Host } from '../../session/host.ts';
import { type Command, exitCodes } from '../../shell/command.ts';
import { demoOptionsFrom } from '../../shell/demo-options.ts';
import { CommandError } from '../../shell/errors.ts';
import { demoOptions } from '../../shell/options.ts';
import type { Simulator } from '../../simulator/simulator.ts';

/**
 * Runs the demo platform. On the command line, the command prints the platform's address. As a child process
 * of the monitor, it receives the socket to listen on from the monitor, and ends when the monitor ends.
 */
export const simulate: Command = {
	name: 'simulate',
	isRare: true,
	summary: 'run the demo platform on its own, for other programs to use',
	options: [
		{ name: 'port', valueName: 'PORT', help: 'port to listen on (any free port)' },
		...demoOptions,
	],
	examples: [
		'crowsnest simulate --port 8787 --computers 100',
		"crowsnest simulate --faults 'status:503:0.1' --shapes list=sandboxes",
	],
	async run({ program, clock }, args) {
		const { fleetOfWorld } = await import('../../session/demo-fleet.ts');
		const { storyOfWorld } = await import('../../session/demo-story.ts');
		const { createSimulator, acceleratedClock } = await import('../../simulator/simulator.ts');
		const { speed, ...world } = demoOptionsFrom(args);
		// Node defines `send` only in a child process that has a channel to its parent.
		const isChild = program.send !== undefined;
		const socket = isChild ? await receiveSocket(program) : undefined;
		if (isChild && !socket) return exitCodes.cancelled;
		const port = args.wholeNumber('port', 0, 65_535) ?? 0;
		const simulator = await createSimulator({
			...world,
			// The story is only for the demo of the monitor. A simulator that other programs use begins without it,
			// and stays the same between versions.
			isLivedIn: isChild,
			clock: speed === 1 ? clock : acceleratedClock(clock, speed),
			port: socket ?? port,
		}).catch((error: unknown) => {
			throw portError(port, error);
		});
		if (isChild) {
			const fleet = fleetOfWorld(simulator.world);
			if (fleet) program.send?.(fleet);
			program.send?.('listening');
			// Writing the story takes some time, so the first list is answered first.
			clock.after(storyDelayMs, () => {
				const story = storyOfWorld(simulator.world, simulator.email);
				if (story && program.connected) program.send?.(story);
			});
		}
		if (!isChild) printAddress(program, simulator);
		await waitForEnd(program, isChild);
		await simulator.close();
		// The open channel to the parent would keep this process from ending, so it is closed.
		if (program.connected) program.disconnect?.();
		return exitCodes.done;
	},
};

/** Says in one line why the port cannot be listened on. */
function portError(port: number, error: unknown): unknown {
	const reason = hasCode(error, 'EADDRINUSE')
		? 'another program uses it'
		: hasCode(error, 'EACCES', 'EPERM')
			? 'permission denied'
			: undefined;
	if (reason === undefined) return error;
	const advice = 'Choose another one, or none for any free port.';
	return new CommandError('invalid', `Cannot listen on port ${port}: ${reason}`, advice);
}

const storyDelayMs = 250;

// Importing the class `Server` would load Node's sockets at the start of every command.
const isServer = (handle: unknown): handle is Server =>
	typeof handle === 'object' && handle !== null && 'listen' in handle;

/** Waits for the socket from the parent process. Resolves with undefined if the parent ends first. */
function receiveSocket(program: Host['program']): Promise<Server | undefined> {
	return new Promise(resolve => {
		program.once('message', (_, handle) => resolve(isServer(handle) ? handle : undefined));
		program.once('disconnect', () => resolve(undefined));
		if (!program.connected) resolve(undefined);
	});
}

function printAddress({ stdout, stderr }: Host['program'], simulator: Simulator) {
	const settings = {
		CROWSNEST_URL: simulator.baseUrl,
		CROWSNEST_AUTH_URL: simulator.authUrl,
		CROWSNEST_ANON_KEY: simulator.anonKey,
		CROWSNEST_EMAIL: simulator.email,
		CROWSNEST_PASSWORD: simulator.password,
	};
	for (const [name, value] of Object.entries(settings)) stdout.write(`export ${name}=${value}\n`);
	stderr.write(`Demo platform running at ${simulator.baseUrl}. Ctrl-C ends it.\n`);
}

function waitForEnd(program: Host['program'], isChild: boolean): Promise<void> {
	return new Promise(resolve => {
		program.on('SIGINT', () => resolve());
		program.on('SIGTERM', () => resolve());
		program.on('disconnect', () => resolve());
		if (isChild && !program.connected) resolve();
		program.stdout.on('error', () => resolve());
	});
}
