// Measures the terminal output of the built program with a demo fleet of 1,000 computers, and prints each
// figure with its goal. `--stand-in` measures the stand-in program of the tests instead.
import { join } from 'node:path';
import { measureGoals } from './bench/goals.js';
import { createHome } from './bench/session.js';
import { buildProgram, bundle, root } from './build.js';

const home = createHome();
const isStandIn = process.argv.includes('--stand-in');
const program = isStandIn ? join(home.folder, 'stand-in.cjs') : bundle;

try {
	const entry = `${root}test/terminal/stand-in/program.tsx`;
	await buildProgram(isStandIn ? { entry, outfile: program } : {});
	const words = [program, ...(isStandIn ? [] : ['--demo']), '--computers', '1000'];
	await measureGoals(words, home.env);
} finally {
	home.remove();
}
