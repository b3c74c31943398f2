import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import type { TestProject } from 'vitest/node';
import { buildIfChanged, bundle, root } from '../scripts/build.js';
import { idleMarkNumber } from '../source/terminal/process/idle-marks.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The path of the built program. */
		program: string;
		/** The path of a small program that uses the terminal, for tests that do not need the whole program. */
		standIn: string;
		/**
		 * The folders in which V8 caches the compiled code of each program. In a common folder, each program would
		 * remove the cache of the other.
		 */
		caches: { program: string; standIn: string };
	}
}

const folder = mkdtempSync(join(tmpdir(), 'crowsnest-built-'));

// It is built anew only when one of its files has changed, like the program.
const standIn = `${root}node_modules/.cache/stand-in/program.cjs`;

/** Builds the programs that the tests start once for all tests. */
export async function setup(project: TestProject) {
	const folders = ['test/processes/stand-in'];
	const entry = `${root}${folders[0]}/program.tsx`;
	await Promise.all([buildIfChanged(), buildIfChanged({ entry, outfile: standIn, folders })]);
	const caches = { program: join(folder, 'program-cache'), standIn: join(folder, 'cache') };
	await Promise.all([
		warm([bundle, '--demo'], caches.program),
		warm([standIn, '--reports', folder], caches.standIn),
	]);
	project.provide('caches', caches);
	project.provide('program', bundle);
	project.provide('standIn', standIn);
}

/** The caches only save time, so a program that does not end is no reason to wait for longer. */
const warmingLimitMs = 60_000;

/** Runs a program until its first frame, to fill the cache of compiled code for the tests. */
function warm(args: string[], cache: string): Promise<void> {
	const pty = spawn(process.execPath, args, {
		cols: 120,
		rows: 36,
		env: {
			PATH: process.env['PATH'],
			TERM: 'xterm-256color',
			LANG: 'C.UTF-8',
			HOME: folder,
			XDG_CACHE_HOME: cache,
			CROWSNEST_IDLE_MARKS: '1',
		},
	});
	let received = '';
	let isEnding = false;
	pty.onData(data => {
		received += data;
		if (isEnding || !received.includes(`\x1b]${idleMarkNumber};`)) return;
		isEnding = true;
		pty.kill('SIGTERM');
	});
	const timer = setTimeout(() => pty.kill('SIGKILL'), warmingLimitMs);
	return new Promise(resolve =>
		pty.onExit(() => {
			clearTimeout(timer);
			resolve();
		}),
	);
}

export function teardown() {
	rmSync(folder, { recursive: true, force: true });
}
