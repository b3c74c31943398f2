// Reads one response as the program does, in a process of its own, and prints what that cost.
import { readFileSync } from 'node:fs';
import {
	computerListFrom,
	computersPageFrom,
	createHttpSender,
	PlatformError,
	readAllPages,
	redactedJson,
} from './platform.mjs';

const [url] = process.argv.slice(2);
const { signal } = new AbortController();
const clock = { now: Date.now, after: (wait, call) => clearing(setTimeout(call, wait)) };
const clearing = timer => () => clearTimeout(timer);
const send = createHttpSender({ fetch, clock, timeoutMs: 60_000 });

// The platform may quote the secrets of an account, so each answer is searched for them.
const secrets = ['password of a person', 'anon-key', 'token'].map(each => each.padEnd(900, each));
const redact = text => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);

const redactedAnswer = async request => {
	const answer = await send(request);
	return { ...answer, json: redactedJson(answer.json, answer.text, redact) };
};

const read = async path => {
	const request = {
		method: 'GET',
		url: `${url}/${path}`,
		headers: {},
		signal,
		maxBytes: 14 * 1_048_576,
	};
	try {
		const { items } = await readAllPages(() => redactedAnswer(request), computersPageFrom);
		return `${computerListFrom(items, 0).computers.length} computers`;
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		return error.message;
	}
};

/** The processor time of the main thread in milliseconds. Work in other threads does not block the event loop. */
function loopTime() {
	const [, , ...fields] = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8')
		.replace(/\(.*\)/, '()')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

// Warm up, so that compiling, connecting and loading are not measured.
for (let time = 0; time < 3; time += 1) await read('usual');
globalThis.gc();
const before = process.memoryUsage().rss;
const used = loopTime();
const result = await read('hostile');
const spent = loopTime() - used;
// VmHWM is the peak of this program. The peak from rusage would include that of the parent process.
const highest =
	Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
const grown = Math.max(0, highest - before) / 1_048_576;
process.stdout.write(JSON.stringify({ result, cpu: spent, grown }));
