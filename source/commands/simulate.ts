import { exitCodes, type Run } from './command.ts';
import { startDemo } from './demo.ts';

/** Runs the demo platform until it is interrupted, and says how to reach it. */
export const simulate: Run = async (host, given) => {
	const { program } = host;
	const simulator = await startDemo(host, given, given.whole('port', 0, 65_535));
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
	await new Promise<void>(resolve => {
		program.on('SIGINT', () => resolve());
		program.on('SIGTERM', () => resolve());
		program.stdout.on('error', () => resolve());
	});
	await simulator.close();
	return exitCodes.done;
};
