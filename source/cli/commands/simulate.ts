import { Server } from 'node:net';
import type { Host } from '../../session/host.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import { demoFrom } from '../../shell/demo-options.ts';
import { createSimulator, speedUp } from '../../simulator/simulator.ts';

/**
 * Runs the demo platform until it is interrupted, and says how to reach it. A program that started it
 * with a channel tells where instead, by the socket it sends, and it ends with that program.
 */
export const simulate: Run = async (host, args) => {
	const { program, clock } = host;
	const { speed, ...wish } = demoFrom(args);
	// Node has this only in a child that was given a channel.
	const isChild = program.send !== undefined;
	const socket = isChild ? await socketFrom(program) : undefined;
	if (isChild && !socket) return exitCodes.cancelled;
	const simulator = await createSimulator({
		...wish,
		clock: speed === 1 ? clock : speedUp(clock, speed),
		port: socket ?? args.whole('port', 0, 65_535) ?? 0,
	});
	if (isChild) program.send?.('listening');
	else {
		const settings = {
			CROWSNEST_URL: simulator.baseUrl,
			CROWSNEST_AUTH_URL: simulator.authUrl,
			CROWSNEST_ANON_KEY: simulator.anonKey,
			CROWSNEST_EMAIL: simulator.email,
			CROWSNEST_PASSWORD: simulator.password,
		};
		for (const [name, value] of Object.entries(settings)) {
			program.stdout.write(`export ${name}=${value}\n`);
		}
		program.stderr.write(`The demo platform answers at ${simulator.baseUrl}. Ctrl-C ends it.\n`);
	}
	await new Promise<void>(resolve => {
		program.on('SIGINT', () => resolve());
		program.on('SIGTERM', () => resolve());
		program.on('disconnect', () => resolve());
		if (isChild && !program.connected) resolve();
		program.stdout.on('error', () => resolve());
	});
	await simulator.close();
	return exitCodes.done;
};

/** Nothing when the other one has gone meanwhile. */
function socketFrom(program: Host['program']): Promise<Server | undefined> {
	return new Promise(resolve => {
		program.once('message', (_, socket) => resolve(socket instanceof Server ? socket : undefined));
		program.once('disconnect', () => resolve(undefined));
		if (!program.connected) resolve(undefined);
	});
}
