// Opens the built program in a real pty with a real emulator, on a demo fleet of 1,000 computers, and
// prints what it costs beside the goals. `--stand-in` opens the tests' stand-in for the program.
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
