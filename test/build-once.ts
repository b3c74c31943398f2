import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildIfChanged, buildProgram, bundle, root } from '../scripts/build.js';

declare module 'vitest' {
	interface ProvidedContext {
		/** The built program. */
		program: string;
		/** A small program around the terminal, for what the whole one would only make slower. */
		standIn: string;
	}
}

const folder = mkdtempSync(join(tmpdir(), 'crowsnest-built-'));

/** Builds what the tests start, once for all of them, so that none of them waits for it. */
export async function setup(project: TestProject) {
	const standIn = join(folder, 'stand-in.cjs');
	const entry = `${root}test/terminal/stand-in/program.tsx`;
	await Promise.all([buildIfChanged(), buildProgram({ entry, outfile: standIn })]);
	project.provide('program', bundle);
	project.provide('standIn', standIn);
}

export function teardown() {
	rmSync(folder, { recursive: true, force: true });
}
