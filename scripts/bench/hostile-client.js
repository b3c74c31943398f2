// Reads one response as the program does, in a separate process, and prints the processor time and the memory that
// this took.
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
	createDirectFetch,
	createFoldInOrder,
	createPlatform,
	createStore,
	PlatformError,
} from './platform.mjs';

const [url, measured] = process.argv.slice(2);
const clock = { now: Date.now, after: (wait, call) => clearing(setTimeout(call, wait)) };
const clearing = timer => () => clearTimeout(timer);

// The platform may quote the secrets of an account, so each answer is searched for them.
const secrets = ['password of a person', 'anon-key', 'token'].map(each => each.padEnd(900, each));
const permit = { reportResponse() {}, reportNoResponse() {} };

const readList = path =>
	createPlatform({
		baseUrl: `${url}/${path}`,
		credentials: { kind: 'token', token: 'token' },
		rateLimiter: { acquire: async () => permit },
		clock,
		fetch: createDirectFetch({ clock, userAgent: 'crowsnest' }),
		timeoutMs: 60_000,
		nextTurn,
		redact: text => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text),
	}).listComputers({ signal: new AbortController().signal, priority: 'read' });

const read = async path => {
	try {
		return `${(await readList(path)).computers.length} computers`;
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		return error.message;
	}
};

/** The processor time of the main thread in milliseconds. Work in other threads does not block the event loop. */
const loopTime = () =>
	Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1_000_000;

/**
 * Measures the longest turn of the event loop in milliseconds, until the returned function is called. The time that
 * passes also includes other programs, so the processor time of the main thread counts if it is smaller.
 */
function measureTurns() {
	let longest = 0;
	let time = performance.now();
	let cpu = loopTime();
	let next = setImmediate(turn);
	function measure() {
		longest = Math.max(longest, Math.min(performance.now() - time, loopTime() - cpu));
		time = performance.now();
		cpu = loopTime();
	}
	function turn() {
		measure();
		next = setImmediate(turn);
	}
	return () => {
		clearImmediate(next);
		measure();
		return longest;
	};
}

// The first read is not measured, because it includes compiling, connecting and loading.
for (let time = 0; time < 3; time += 1) await read('usual');
globalThis.gc();
if (measured === 'folds') {
	const store = createStore();
	const folds = [];
	let folded = () => {};
	const { signal } = new AbortController();
	const fold = createFoldInOrder({ store, nextTurn, signal, onLateFold: () => folded() });
	for (let time = 1; time <= 2; time += 1) {
		const { computers } = await readList('hostile');
		const longestTurn = measureTurns();
		await new Promise(resolve => {
			folded = resolve;
			fold({ account: 'bench', at: time * 60_000, type: 'listRead', computers });
		});
		folds.push(longestTurn());
	}
	process.stdout.write(JSON.stringify({ folds }));
} else if (measured === 'turns') {
	const longestTurn = measureTurns();
	const result = await read('hostile');
	process.stdout.write(JSON.stringify({ result, longest: longestTurn() }));
} else {
	const before = process.memoryUsage().rss;
	const used = loopTime();
	const result = await read('hostile');
	const cpu = loopTime() - used;
	// VmHWM is the peak of this program. The peak from rusage would include that of the parent process.
	const status = readFileSync('/proc/self/status', 'utf8');
	const highest = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
	const grown = Math.max(0, highest - before) / 1_048_576;
	process.stdout.write(JSON.stringify({ result, cpu, grown }));
}
