import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import type { TestProject } from 'vitest/node';
import { buildIfChanged, buildProgram, bundle, root } from '../scripts/build.js';
import { idleMark } from '../source/terminal/idle-marks.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The built program. */
		program: string;
		/** A small program around the terminal, for what the whole one would only make slower. */
		standIn: string;
		/** Where each of the two finds what V8 compiled of it: a program throws away what another keeps. */
		caches: { program: string; standIn: string };
	}
}

const folder = mkdtempSync(join(tmpdir(), 'crowsnest-built-'));

/** Builds what the tests start, once for all of them, so that none of them waits for it. */
export async function setup(project: TestProject) {
	const standIn = join(folder, 'stand-in.cjs');
	const entry = `${root}test/terminal/stand-in/program.tsx`;
	await Promise.all([buildIfChanged(), buildProgram({ entry, outfile: standIn })]);
	const caches = { program: join(folder, 'program-cache'), standIn: join(folder, 'cache') };
	await Promise.all([
		warm([bundle, '--demo'], caches.program),
		warm([standIn, '--reports', folder], caches.standIn),
	]);
	project.provide('caches', caches);
	project.provide('program', bundle);
	project.provide('standIn', standIn);
}

/** Runs it until its first picture, so that all that the tests start find what V8 compiled of it. */
function warm(words: string[], cache: string): Promise<void> {
	const pty = spawn(process.execPath, words, {
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
	pty.onData(data => {
		if (data.includes(`\x1b]${idleMark};`)) pty.write('q');
	});
	return new Promise(resolve => pty.onExit(() => resolve()));
}

export function teardown() {
	rmSync(folder, { recursive: true, force: true });
}
