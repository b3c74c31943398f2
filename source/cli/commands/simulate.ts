import { once } from 'node:events';
import { CommandError, exitCodes, fileErrorText, hasCode } from '../../foundation/error.ts';
import { demoOptionsFrom } from '../../monitor/demo-options.ts';
import { watchForInterruption } from '../../script/interruption.ts';
import type { Command } from '../command.ts';
import { demoOptions } from '../options.ts';

export const simulate: Command = {
	name: 'simulate',
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
		const { createSimulator, acceleratedClock } = await import('../../simulator/simulator.ts');
		const { speed, ...world } = demoOptionsFrom(args);
		const port = args.wholeNumber('port', 0, 65_535) ?? 0;
		const simulator = await createSimulator({
			...world,
			clock: speed === 1 ? clock : acceleratedClock(clock, speed),
			port,
		}).catch((error: unknown) => {
			if (!hasCode(error, 'EADDRINUSE', 'EACCES')) throw error;
			const isTaken = hasCode(error, 'EADDRINUSE');
			const reason = isTaken ? 'another program uses it' : fileErrorText(error);
			const advice = 'Choose another one, or none for any free port.';
			throw new CommandError('invalid', `Cannot listen on port ${port}: ${reason}`, advice);
		});
		const settings = {
			CROWSNEST_URL: simulator.baseUrl,
			CROWSNEST_AUTH_URL: simulator.authUrl,
			CROWSNEST_ANON_KEY: simulator.anonKey,
			CROWSNEST_EMAIL: simulator.email,
			CROWSNEST_PASSWORD: simulator.password,
		};
		for (const [name, value] of Object.entries(settings))
			program.stdout.write(`export ${name}=${value}\n`);
		program.stderr.write(`Demo platform running at ${simulator.baseUrl}. Ctrl-C ends it.\n`);
		await once(watchForInterruption(program, clock, undefined).signal, 'abort');
		await simulator.close();
		return exitCodes.done;
	},
};
