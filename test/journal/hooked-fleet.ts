import type { Hook, HookKind } from '../../source/accounts/hook-settings.ts';
import type { FactBody } from '../../source/fleet/fact.ts';
import type { ChildEffects } from '../../source/foundation/children.ts';
import { createHooks } from '../../source/journal/hooks.ts';
import { noteAccountChanges } from '../../source/store/account-notes.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';
import { runProgram } from './run.ts';
import { temporaryFolder } from './state-directory.ts';

export const hookOn = (on: readonly HookKind[], more: Partial<Hook> = {}): Hook => ({
	id: `hook-${on.join()}`,
	on,
	command: ['hook'],
	cooldownMs: 60_000,
	timeoutMs: 10_000,
	maxRunning: 4,
	...more,
});

/** The values that a hook was started with. */
export type Started = { at: number; record: Record<string, unknown>; variables: NodeJS.ProcessEnv };

/** The children of hooks in a test: each is recorded, and ends after `runMs` on the held clock. */
export function createFakeChildren(clock: HeldClock, runMs = 100) {
	const started: Started[] = [];
	const state = { running: 0, mostRunning: 0, exitCode: 0, stderr: '' };

	// This object has only the parts of a child process that `runChild` uses.
	const spawn: ChildEffects['spawn'] = (_file, _args, options) => {
		const listeners = new Map<string, (...values: unknown[]) => void>();
		const child = {
			process: 'one',
			exitCode: null,
			signalCode: null,
			stdin: {
				on() {},
				end(text: string) {
					const variables = options.env ?? {};
					started.push({ at: clock.now(), record: JSON.parse(text), variables });
				},
			},
			stdout: null,
			stderr: {
				setEncoding() {
					return this;
				},
				on(event: string, call: (text: string) => void) {
					if (event === 'data') clock.after(runMs - 1, () => call(state.stderr));
				},
				destroyed: true,
			},
			kill: () => true,
			on(event: string, call: (...values: unknown[]) => void) {
				listeners.set(event, call);
			},
		};
		state.running += 1;
		state.mostRunning = Math.max(state.mostRunning, state.running);
		clock.after(runMs, () => {
			state.running -= 1;
			listeners.get('exit')?.(state.exitCode, null);
			listeners.get('close')?.();
		});
		return child as unknown as ReturnType<ChildEffects['spawn']>;
	};
	return { started, state, spawn };
}

type FleetOptions = {
	hooks?: readonly Hook[];
	clock?: HeldClock;
	directory?: string;
	children?: ReturnType<typeof createFakeChildren>;
	isRecorder?: boolean;
	environment?: NodeJS.ProcessEnv;
	/** The real ones, for a hook that runs. */
	effects?: Pick<ChildEffects, 'spawn' | 'kill'>;
};

/** A process with hooks on one account. Several may share the folder, one after another or as followers. */
export function createHookedFleet(options: FleetOptions = {}) {
	const { clock = createHeldClock(), directory = temporaryFolder() } = options;
	const { hooks = [hookOn(['computerFailed'])], isRecorder = true, environment = {} } = options;
	const children = options.children ?? createFakeChildren(clock);
	const { effects = { spawn: children.spawn, kill: () => true } } = options;
	const run = runProgram(directory, { clock, account: 'key', isRecorder });
	const { account, store, recorder, troubles, kill } = run;
	noteAccountChanges(store, account, () => 86_400_000);
	const onProblem = (message: string) => troubles.push(message);
	const running = createHooks({ hooks, directory, clock, environment, ...effects, onProblem });
	const stopHooks = running.attach({ account, store, profile: { name: 'work' }, recorder });
	const fold = (body: FactBody) =>
		store.receive([{ account, at: clock.now(), askedAt: clock.now(), ...body }]);
	const listOf = (statuses: Readonly<Record<string, string>>, more: object) => {
		const computers = Object.entries(statuses).map(([id, status]) => {
			return { id, name: id, status, ...(status.toLowerCase() === 'error' && more) };
		});
		fold({ type: 'listRead', computers });
	};

	return {
		...run,
		directory,
		fold,
		running,
		started: children.started,
		children,
		kill() {
			stopHooks();
			kill();
		},
		/** Folds a list of computers with these statuses, keyed by id. The platform gives no reason for an error. */
		list: (statuses: Readonly<Record<string, string>>) => listOf(statuses, { error: null }),
		/** Folds a list that has no reasons, as that of a platform which tells them only in the status of one computer. */
		listWithoutReasons: (statuses: Readonly<Record<string, string>>) => listOf(statuses, {}),
		/** Lets time pass, and waits for the promises of the hooks that end in this time. */
		async pass(milliseconds: number, step = 50) {
			for (let passed = 0; passed < milliseconds; passed += step) {
				clock.move(Math.min(step, milliseconds - passed));
				for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
			}
		},
		reported: () => children.started.map(({ record }) => reportOf(record)),
	};
}

/** Shortens the record of an event to `computerFailed nova active→error`. */
export function reportOf(record: Record<string, unknown>): string {
	const { kind, computer, from, to } = record;
	const id = computer === null ? '' : ` ${(computer as { id: string }).id}`;
	return `${kind}${id} ${from}→${to}`;
}
