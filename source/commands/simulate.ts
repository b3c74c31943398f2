import { Server } from 'node:net';
import { createSimulator, speedUp } from '../simulator/simulator.ts';
import { exitCodes, type Run } from './command.ts';
import { demoFrom } from './demo.ts';
import type { Host } from './host.ts';

/**
 * Runs the demo platform until it is interrupted, and says how to reach it. A program that started it
 * with a channel tells where instead, by the socket it sends, and it ends with that program.
 */
export const simulate: Run = async (host, given) => {
	const { program, clock } = host;
	const { speed, ...wish } = demoFrom(given);
	const isChild = program.channel !== undefined && program.channel !== null;
	const simulator = await createSimulator({
		...wish,
		clock: speed === 1 ? clock : speedUp(clock, speed),
		port: isChild ? await socketFrom(program) : (given.whole('port', 0, 65_535) ?? 0),
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
		program.stdout.on('error', () => resolve());
	});
	await simulator.close();
	return exitCodes.done;
};

function socketFrom(program: Host['program']): Promise<Server> {
	return new Promise((resolve, reject) => {
		program.once('message', (_, socket) => {
			if (socket instanceof Server) resolve(socket);
		});
		program.once('disconnect', () => reject(new Error('no socket came')));
	});
}
