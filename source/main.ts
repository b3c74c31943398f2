import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir, hostname, uptime } from 'node:os';
import { isatty } from 'node:tty';
import { commands } from './cli/catalog.ts';
import { runCommandLine } from './cli/command-line.ts';
import { createActivity } from './foundation/activity.ts';
import type { Clock } from './foundation/clock.ts';
import { memoize } from './foundation/memoize.ts';
import { createDirectFetch } from './platform/http.ts';
import type { Host } from './session/host.ts';

const clock: Clock = {
	now: () => Date.now(),
	monotonic: () => msSinceBoot(),
	after(milliseconds, call) {
		// Timers are never given a negative delay, because Node 24 prints a warning for it.
		const timer = setTimeout(call, Math.max(0, milliseconds));
		return () => clearTimeout(timer);
	},
};

function textOf(path: string): string {
	try {
		return readFileSync(path, 'utf8').trim();
	} catch {
		// The files that identify the machine exist only on Linux.
		return '';
	}
}

let lastUptime = { readAt: 0, milliseconds: 0 };

/** Reading it opens a file, and it moves in steps of ten milliseconds, so that it is read at most every five. */
function msSinceBoot(): number {
	const since = Date.now() - lastUptime.readAt;
	if (since < 0 || since >= 5) lastUptime = { readAt: Date.now(), milliseconds: uptime() * 1000 };
	return lastUptime.milliseconds;
}

function stty(argument: string): string {
	const { stdout } = spawnSync('stty', [argument], { stdio: ['inherit', 'pipe', 'ignore'] });
	return stdout?.toString().trim() ?? '';
}

const words = process.argv.slice(2);

// Without a listener, the signal opens Node's inspector, to which every user of this machine can connect.
process.on('SIGUSR1', () => {});

const host: Host = {
	program: Object.assign(process, { console, isInputTerminal: () => isatty(0), stty }),
	clock,
	activity: createActivity(),
	msSinceBoot,
	bootIdentity: memoize(() => [
		textOf('/etc/machine-id') || hostname(),
		textOf('/proc/sys/kernel/random/boot_id'),
		// Containers on one machine share a boot id, but their clocks may differ.
		textOf('/proc/self/timens_offsets'),
	]),
	processId: randomUUID().slice(0, 8),
	home: homedir(),
	random: Math.random,
	fetch: createDirectFetch(clock, `crowsnest/${__VERSION__}`),
	spawn,
	runningChildren: new Set(),
	version: __VERSION__,
};

/** Ends the process. A proxy that never answers holds its connection open, and the connection would hold the process. */
function exitWith(code: number) {
	process.exitCode = code;
	const { stdout, stderr } = process;
	const isWritten = () => stdout.writableLength + stderr.writableLength === 0;
	setInterval(() => isWritten() && process.exit(), 100).unref();
}

void runCommandLine(host, commands, words).then(exitWith);
