// Runs the demo platform in the measuring process, so that a benchmark can change its computers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../build.js';

const clock = {
	now: () => Date.now(),
	after(milliseconds, call) {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};

export async function openPlatform(folder, options) {
	const { outputFiles } = await build({
		entryPoints: [`${root}source/simulator/simulator.ts`],
		bundle: true,
		write: false,
		platform: 'node',
		target: 'node20.19',
		format: 'esm',
		logLevel: 'warning',
	});
	const file = join(folder, 'simulator.mjs');
	writeFileSync(file, outputFiles[0].contents);
	const { createSimulator } = await import(pathToFileURL(file).href);
	const simulator = await createSimulator({ clock, ...options });
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	return {
		world: simulator.world,
		close: simulator.close,
		/** The environment variables that connect the program to this platform. */
		env: {
			CROWSNEST_URL: baseUrl,
			CROWSNEST_AUTH_URL: authUrl,
			CROWSNEST_ANON_KEY: anonKey,
			CROWSNEST_EMAIL: email,
			CROWSNEST_PASSWORD: password,
		},
	};
}
