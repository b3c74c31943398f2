import { type Paths, pathsFrom } from '../accounts/paths.ts';
import type { Activity } from '../foundation/activity.ts';
import type { ChildEffects, RunningChildren, Spawn } from '../foundation/children.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Fetch } from '../foundation/network.ts';
import type { Program } from '../terminal/terminal.ts';

/** The outside world as a parameter. Only main.ts passes the real one; tests pass their own. */
export type Host = {
	program: Program & Pick<NodeJS.Process, 'version'>;
	clock: Clock;
	/** Counts the work in progress, so that a test can wait until all of it is done. */
	activity?: Activity;
	/** Resolves in the next turn of the event loop, so that long work does not delay keys. */
	nextTurn?: () => Promise<void>;
	/**
	 * Returns the milliseconds since this machine started, including the time that the machine slept. All
	 * processes on the machine get the same value.
	 */
	msSinceBoot: () => number;
	/** Returns texts that together identify this machine and its current boot. */
	bootIdentity?: () => readonly string[];
	/** The random id of this process. Other processes know it by that, because a pid may belong to another one later. */
	processId: string;
	/** The home directory of the user. */
	home: string;
	/** Returns a number from 0 up to, but not including, 1. */
	random: () => number;
	fetch: Fetch;
	/** Starts another program, for example an own command. Only `runChild` calls it. */
	spawn: Spawn;
	/** The programs that `spawn` has started and that have not ended. */
	runningChildren?: RunningChildren;
	/** The version of this program. */
	version: string;
};

/** What an opened account needs of it. */
export type SessionHost = Pick<Host, 'clock' | 'random' | 'msSinceBoot' | 'activity' | 'nextTurn'>;

/** Thrown when the person at the terminal presses Ctrl-C or closes the input. */
export class Interrupted extends Error {}

/** Returns what running a child needs. */
export const childEffectsOf = (host: Host): ChildEffects => ({
	spawn: host.spawn,
	kill: (pid, signal) => host.program.kill(pid, signal),
	clock: host.clock,
	runningChildren: host.runningChildren,
});

export function pathsOf({ program, home }: Host): Paths {
	return pathsFrom(program.env, home);
}
