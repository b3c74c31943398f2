import type { ChildProcess } from 'node:child_process';
import type { Environment } from '../accounts/environment.ts';
import { type Paths, pathsFrom } from '../accounts/paths.ts';
import type { Activity } from '../fleet/activity.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Fetch } from '../fleet/network.ts';
import type { Program } from '../terminal/terminal.ts';

/** Everything of the outside world that a command may use. Only main.ts has the real one. */
export type Host = {
	program: Program & Pick<NodeJS.Process, 'version' | 'connected' | 'send' | 'once'>;
	clock: Clock;
	/** Counts the work in progress, so that a test can wait until all of it is done. */
	activity?: Activity;
	/** Milliseconds since this machine started, asleep or awake: the same for all its processes. */
	msSinceBoot: () => number;
	/** What distinguishes this start of this machine from every other start and machine. */
	bootIdentity?: () => readonly string[];
	/** The home directory. */
	home: string;
	/** Returns a number from 0 up to, but not including, 1. */
	random: () => number;
	fetch: Fetch;
	/** Starts this program once more without a terminal, with a channel to it. */
	spawnSelf: (words: readonly string[], environment: Environment) => ChildProcess;
	/** The version of this program. */
	version: string;
};

/** The person at the terminal pressed Ctrl-C, or closed the input. */
export class Interrupted extends Error {}

export function pathsOf({ program, home }: Host): Paths {
	return pathsFrom(program.env, home);
}
