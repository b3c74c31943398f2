import { type Paths, pathsFrom } from '../accounts/paths.ts';
import type { Activity } from '../foundation/activity.ts';
import type { ChildEffects, RunningChildren, Spawn } from '../foundation/children.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Fetch } from '../foundation/network.ts';
import type { Program } from '../terminal/terminal.ts';

/** The outside world as a parameter. Only main.ts passes the real one; tests pass their own. */
export type Host = {
	program: Program & Pick<NodeJS.Process, 'version' | 'cwd'>;
	clock: Clock;
	/** Counts the work in progress, so that a test can wait until all of it is done. */
	activity?: Activity;
	/** Including the time that the machine slept; the same for all processes of the machine. */
	msSinceBoot: () => number;
	/** Texts that together identify this machine and its current boot. */
	bootIdentity?: () => readonly string[];
	/** Random, because a pid may belong to another process later. */
	processId: string;
	home: string;
	random: () => number;
	fetch: Fetch;
	/** Only `runChild` calls it. */
	spawn: Spawn;
	runningChildren?: RunningChildren;
	version: string;
};

export type SessionHost = Pick<Host, 'clock' | 'random' | 'msSinceBoot' | 'activity'>;

/** Thrown when the person at the terminal presses Ctrl-C or closes the input. */
export class Interrupted extends Error {}

export const childEffectsOf = (host: Host): ChildEffects => ({
	spawn: host.spawn,
	kill: (pid, signal) => host.program.kill(pid, signal),
	clock: host.clock,
	runningChildren: host.runningChildren,
});

export function pathsOf({ program, home }: Host): Paths {
	return pathsFrom(program.env, home);
}

/** The methods stay bound to the process. */
export function programWith(
	program: Host['program'],
	changes: Partial<Host['program']>,
): Host['program'] {
	return new Proxy(program, {
		get(target, name) {
			if (Object.hasOwn(changes, name)) return Reflect.get(changes, name);
			const value: unknown = Reflect.get(target, name);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
}
