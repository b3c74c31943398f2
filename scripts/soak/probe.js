// This module is imported into the program under test, and records its heap, listeners and resources every five
// seconds.
import { appendFileSync } from 'node:fs';
import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
// V8 rejects cached code that was compiled with other flags.
setFlagsFromString('--no-expose-gc');

const emitters = () => [process, process.stdin, process.stdout, process.stderr];
const listenersOf = emitter =>
	emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);

function counted(names) {
	const counts = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}

/** Returns the bytes of all compiled code, with what V8 needs to undo its optimisations. */
function codeSize() {
	const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } =
		getHeapCodeStatistics();
	return code + bytecode;
}

function record() {
	collect();
	const { heapUsed, external } = process.memoryUsage();
	const listeners = emitters().reduce((sum, emitter) => sum + listenersOf(emitter), 0);
	const resources = counted(process.getActiveResourcesInfo());
	const [heap, code] = [heapUsed + external, codeSize()];
	const line = { at: Date.now(), heap, code, listeners, resources };
	appendFileSync(process.env.CROWSNEST_SOAK_NOTES, `${JSON.stringify(line)}\n`);
}

if (process.env.CROWSNEST_SOAK_NOTES) setInterval(record, 5000).unref();
