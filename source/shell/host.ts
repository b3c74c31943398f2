import type { ChildProcess } from 'node:child_process';
import type { Environment } from '../accounts/environment.ts';
import type { Activity } from '../fleet/activity.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Fetch } from '../fleet/fetch.ts';
import type { Program } from '../terminal/terminal.ts';

/** Everything of the outside world that a command may use. Only main.ts has the real one. */
export type Host = {
	program: Program & Pick<NodeJS.Process, 'version' | 'connected' | 'send' | 'once'>;
	clock: Clock;
	/** Counts the work under way, so that a test can wait until there is none. */
	activity?: Activity;
	/** Milliseconds since this machine started, asleep or awake: the same for all its processes. */
	elapsed: () => number;
	/** What tells this start of this machine from all others, and from other machines. */
	boot?: () => readonly string[];
	/** The person's own folder. */
	home: string;
	/** At least 0, below 1. */
	random: () => number;
	fetch: Fetch;
	/** This program once more, with a channel to it. It knows no terminal. */
	spawnSelf: (words: readonly string[], environment: Environment) => ChildProcess;
	/** The program's own. */
	version: string;
};
