// A process of its own for one answer: reads it as the program does, and says what that cost.
import { readFileSync } from 'node:fs';
import {
	computerListFrom,
	computersPageFrom,
	createExchange,
	PlatformError,
	readAll,
} from './platform.mjs';

const [url] = process.argv.slice(2);
const { signal } = new AbortController();
const clock = { now: Date.now, after: (wait, call) => clearing(setTimeout(call, wait)) };
const clearing = timer => () => clearTimeout(timer);
const exchange = createExchange({ fetch, clock, timeout: 60_000 });

const read = async path => {
	const request = { method: 'GET', url: `${url}/${path}`, headers: {}, signal };
	try {
		const { items } = await readAll(() => exchange(request), computersPageFrom);
		return `${computerListFrom(items, 0).computers.length} computers`;
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		return error.message;
	}
};

// So that nothing is compiled, connected or loaded for the first time while it is measured.
for (let time = 0; time < 3; time += 1) await read('usual');
globalThis.gc();
const before = process.memoryUsage().rss;
const used = process.cpuUsage();
const said = await read('hostile');
const { user, system } = process.cpuUsage(used);
// The peak since this program was loaded; what rusage tells begins with the parent's.
const highest =
	Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
const grown = Math.max(0, highest - before) / 1_048_576;
process.stdout.write(JSON.stringify({ said, cpu: (user + system) / 1e3, grown }));
