import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildIfChanged, bundle, root } from '../scripts/build.js';

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
	const folders = ['test/processes'];
	const entry = `${root}test/processes/stand-in/program.tsx`;
	await Promise.all([buildIfChanged(), buildIfChanged({ entry, outfile: standIn, folders })]);
	const caches = { program: join(folder, 'program-cache'), standIn: join(folder, 'cache') };
	project.provide('caches', caches);
	project.provide('program', bundle);
	project.provide('standIn', standIn);
}

export function teardown() {
	rmSync(folder, { recursive: true, force: true });
}
