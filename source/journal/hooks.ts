import { join } from 'node:path';
import type { Hook, HookKind } from '../accounts/hook-settings.ts';
import { makeStateFolder, readPrivately, writePrivately } from '../accounts/private-file.ts';
import { type Change, continuationOf, stateOf, subjectOf } from '../fleet/change.ts';
import { isErrorNotRead } from '../fleet/computers/not-read.ts';
import {
	type ChildEffects,
	type ChildResult,
	type Environment,
	runChild,
} from '../foundation/children.ts';
import type { Clock } from '../foundation/clock.ts';
import { durationText } from '../foundation/duration.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import * as v from '../foundation/schema.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { jsonFrom, validatorOf } from '../foundation/validate.ts';
import { emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import {
	eventRecord,
	eventVariables,
	type HookEvent,
	hookEventOf,
	hookKindOf,
} from './hook-event.ts';
import { entryFrom } from './log-entry.ts';
import { beginningOfLog, createLogTail, endOfLog, type LoggedLine } from './log-files.ts';

/** An account whose changes run hooks. */
export type HookedAccount = {
	/** The key of the account in the store. */
	account: string;
	/** The name of its profile. */
	accountName: string;
	store: Store;
	/** Whether this process runs the hooks of the account. Only one process of a host does. */
	isRecorder: () => boolean;
};

type HooksOptions = ChildEffects & {
	hooks: readonly Hook[];
	/** The folder of the log. */
	directory: string;
	environment: Environment;
	onProblem: (message: string) => void;
};

export type Hooks = {
	/** Begins to run hooks for the changes of an account. Returns a function that stops doing so. */
	attach(account: HookedAccount): () => void;
	/** Starts no more hooks. Hooks that still run after `maxRunMs` milliseconds, by default a second, are asked to end. */
	close(maxRunMs?: number): Promise<void>;
};

/** A process that writes to the log tells nobody, so the log is also read at this interval. */
const checkIntervalMs = 2_000;

/** How long a computer in error waits for its reason, which is often read after the status. */
const reasonWaitMs = 10_000;

const closingMs = 1_000;

/** At the start, this many handled lines are read for what is known. */
const maxHandledLines = 2_000;

/**
 * Runs the hooks of a configuration for lines of the log:
 *
 * ```
 *   fact ─▶ journal ─▶ log ─▶ queue of each hook ─▶ place of the last handled line ─▶ child process
 * ```
 *
 * The place is written before a hook starts, so no hook runs twice for a line, and what waits in a queue still is in the
 * log for the next process.
 */
export function createHooks(options: HooksOptions): Hooks {
	const { hooks, environment, clock, onProblem } = options;
	const closing = new AbortController();
	const running = new Set<Promise<void>>();
	const failures = new Set<string>();
	const stops = new Set<() => void>();
	const queues = hooks.map(hook => createHookQueue(hook, clock, run));

	async function run(hook: Hook, event: HookEvent, store: Store, account: string) {
		const ended = runHook(hook, event, environment, { ...options, signal: closing.signal }).then(
			failure => report(hook, failure, store, account),
		);
		running.add(ended);
		await ended;
		running.delete(ended);
	}

	/** Reports each kind of failure once, until the hook works again. */
	function report(hook: Hook, failure: HookFailure | undefined, store: Store, account: string) {
		if (!failure) {
			for (const key of failures) if (key.startsWith(`${hook.id} `)) failures.delete(key);
			return;
		}
		const key = `${hook.id} ${failure.kind}`;
		if (failures.has(key)) return;
		failures.add(key);
		// A hook has no name, so messages call it by its events and its program.
		const name = `${hook.on.join(', ')} → ${hook.command[0]}`;
		const message = failure.text;
		onProblem(`The hook ${name} ${message}`);
		store.receive([{ account, at: clock.now(), type: 'hookFailed', hook: name, message }]);
	}

	return {
		attach(place) {
			const stop = followLog(place, queues, options);
			stops.add(stop);
			return () => {
				stops.delete(stop);
				stop();
			};
		},
		async close(maxRunMs = closingMs) {
			for (const stop of stops) stop();
			const cancelTimer = clock.after(maxRunMs, () => closing.abort());
			await Promise.all(running);
			cancelTimer();
		},
	};
}

/** Passes the lines of an account to the queues of the hooks while this process records. Returns a function that stops it. */
function followLog(
	place: HookedAccount,
	queues: readonly HookQueue[],
	{ directory, clock, onProblem }: HooksOptions,
): () => void {
	const { account, accountName, store, isRecorder } = place;
	const quotedAccount = JSON.stringify(account);
	const stateNow = () => store.getState().accounts.get(account) ?? emptyAccount;
	const places = openPlaceFile(directory, account, onProblem);
	const hookIds = queues.map(({ hook }) => hook.id);
	if (isRecorder()) places.begin(hookIds);
	let newLines: ReturnType<typeof createLogTail> | undefined;
	let latest = new Map<string, Change>();
	let cancelTimer = clock.after(0, check);

	function check() {
		cancelTimer();
		cancelTimer = clock.after(checkIntervalMs, check);
		if (isRecorder()) readLog();
		else if (newLines) forget();
	}

	/** Another process goes on from the places. */
	function forget() {
		newLines = undefined;
		for (const queue of queues) queue.forget(account);
	}

	function readLog() {
		const isFirst = newLines === undefined;
		let lines: readonly LoggedLine[];
		try {
			newLines ??= createLogTail(directory, 'beginning');
			lines = newLines();
		} catch {
			// The journal reports this problem.
			return;
		}
		if (isFirst) latest = new Map();
		const handled = isFirst ? places.begin(hookIds) : new Map<string, string>();
		const placeOf = (hook: string) => handled.get(hook) ?? beginningOfLog;
		const ours = lines.filter(({ text }) => text.includes(quotedAccount));
		const isNew = ({ place }: LoggedLine) => hookIds.some(id => place > placeOf(id));
		const firstNew = ours.findIndex(isNew);
		const handledCount = firstNew === -1 ? ours.length : firstNew;
		for (const { text, place } of ours.slice(Math.max(0, handledCount - maxHandledLines))) {
			const entry = entryFrom(text);
			const change = entry?.account === account ? newsIn(entry.what) : undefined;
			if (!change) continue;
			for (const queue of queues) {
				const kind = hookKindOf(queue.hook, change, stateNow());
				if (kind && place > placeOf(queue.hook.id))
					queue.add(waitingLine(queue, change, kind, place));
			}
		}
		for (const queue of queues) queue.startNext();
	}

	function waitingLine(
		{ hook }: HookQueue,
		change: Change,
		kind: HookKind,
		place: string,
	): WaitingLine {
		return {
			account,
			store,
			readyAt: () => reasonComesUntil(change),
			take() {
				if (isRecorder()) return places.take(hook.id, place);
				newLines = undefined;
				return false;
			},
			event: () => hookEventOf(kind, change, accountName, stateNow()),
		};
	}

	/** Returns what a line says beyond the lines before it: several processes may have written the same change. */
	function newsIn(change: Change): Change | undefined {
		const subject = subjectOf(change);
		const earlier = latest.get(subject);
		if (earlier?.at === change.at && stateOf(earlier) === stateOf(change)) return undefined;
		const before = earlier?.type === 'statusChanged' ? earlier : undefined;
		const news = change.type === 'statusChanged' ? continuationOf(before, change) : change;
		// The same again is known to be so until then.
		if (news || change.at > (earlier?.at ?? 0)) latest.set(subject, news ?? change);
		return news;
	}

	/** Returns until when the reason of an error may still be read. */
	function reasonComesUntil(change: Change): number {
		if (change.type !== 'statusChanged' || change.error !== undefined) return 0;
		const computer = stateNow().computers.get(change.id);
		return computer && isErrorNotRead(computer) ? change.at + reasonWaitMs : 0;
	}

	const unsubscribe = store.onFact((fact, before, after) => {
		if (fact.account !== account) return;
		if (before.accounts.get(account) === after.accounts.get(account)) return;
		// The journal writes its line while the fact is folded.
		cancelTimer();
		cancelTimer = clock.after(0, check);
	});
	return () => {
		unsubscribe();
		cancelTimer();
		forget();
	};
}

/** A line of the log that waits for a hook. */
type WaitingLine = {
	account: string;
	store: Store;
	/** When the hook may run for it. */
	readyAt: () => number;
	/** Notes that the line is handled. Returns false if this or another process has handled it. */
	take: () => boolean;
	event: () => HookEvent;
};

type HookQueue = ReturnType<typeof createHookQueue>;

/**
 * Starts the runs of one hook in the order of the log: a few at the same time, and none for the same subject before its
 * cooldown has passed. At its end, the last change in it is reported.
 */
function createHookQueue(
	hook: Hook,
	clock: Clock,
	run: (hook: Hook, event: HookEvent, store: Store, account: string) => Promise<void>,
) {
	type Cooldown = { until: number; line: WaitingLine; last?: HookEvent | undefined };
	let waiting: WaitingLine[] = [];
	const cooldowns = new Map<string, Cooldown>();
	let runningCount = 0;
	let cancelTimer = () => {};

	function start(key: string, event: HookEvent, line: WaitingLine) {
		runningCount += 1;
		cooldowns.delete(key);
		cooldowns.set(key, { until: clock.now() + hook.cooldownMs, line });
		void run(hook, event, line.store, line.account).then(() => {
			runningCount -= 1;
			startNext();
		});
	}

	function startNext() {
		cancelTimer();
		const now = clock.now();
		let wakeAt = Number.POSITIVE_INFINITY;
		for (const [key, { until, last, line }] of [...cooldowns]) {
			// An end that is too far away was noted before the clock was set back.
			const isOver = until <= now || until - now > hook.cooldownMs;
			if (!isOver && last) wakeAt = Math.min(wakeAt, until);
			if (isOver && !last) cooldowns.delete(key);
			if (isOver && last && runningCount < hook.maxRunning) start(key, last, line);
		}
		while (runningCount < hook.maxRunning) {
			const [line] = waiting;
			if (!line) break;
			const readyAt = line.readyAt();
			if (readyAt > now && readyAt - now <= reasonWaitMs) {
				wakeAt = Math.min(wakeAt, readyAt);
				break;
			}
			waiting.shift();
			if (!line.take()) continue;
			const event = line.event();
			const key = JSON.stringify([line.account, event.kind, event.subject]);
			const cooldown = cooldowns.get(key);
			if (!cooldown) start(key, event, line);
			else {
				const merged = cooldown.last ? cooldown.last.merged + 1 : 0;
				cooldown.last = { ...event, merged };
				wakeAt = Math.min(wakeAt, cooldown.until);
			}
		}
		// If as many runs as allowed are under way, the end of one starts the next.
		if (runningCount < hook.maxRunning && wakeAt < Number.POSITIVE_INFINITY)
			cancelTimer = clock.after(wakeAt - now, startNext);
	}

	return {
		hook,
		add: (line: WaitingLine) => void waiting.push(line),
		startNext,
		/** Forgets what waits for an account. */
		forget(account: string) {
			waiting = waiting.filter(line => line.account !== account);
			for (const cooldown of cooldowns.values())
				if (cooldown.line.account === account) cooldown.last = undefined;
		},
	};
}

const { isValid: isPlaceFile } = validatorOf(
	v.object({
		version: v.count,
		handled: v.listOf(v.object({ hook: v.word, place: v.word })),
	}),
);

/** Keeps the place of the last line of the log that each hook has handled, in a file that the processes share. */
function openPlaceFile(directory: string, account: string, onProblem: (reason: string) => void) {
	const path = join(directory, `hooks-${shortHash(account)}.json`);
	let places = new Map<string, string>();
	let isFailing = false;

	/** Does something with the file. While that fails, this process goes by what it knows. */
	function attempt(work: () => void) {
		try {
			work();
		} catch (error) {
			if (!isFailing) onProblem(`Hooks cannot use their file: ${stateFileErrorText(error)}`);
			isFailing = true;
		}
	}

	function read() {
		const file = jsonFrom(readPrivately(path, 1_000_000) ?? '');
		if (isPlaceFile(file) && file.version === 1)
			places = new Map(file.handled.map(({ hook, place }) => [hook, place]));
	}

	function write() {
		const handled = [...places].map(([hook, place]) => ({ hook, place }));
		makeStateFolder(directory);
		writePrivately(path, JSON.stringify({ version: 1, handled }), false);
		isFailing = false;
	}

	return {
		/** Returns the places. A hook that is new begins at the end of the log. */
		begin(hooks: readonly string[]): ReadonlyMap<string, string> {
			attempt(read);
			attempt(() => {
				const added = hooks.filter(hook => !places.has(hook));
				for (const hook of added) places.set(hook, endOfLog(directory));
				if (added.length > 0) write();
			});
			return new Map(places);
		},
		/** Notes that a hook handles the line before this place. Returns false if it has been handled. */
		take(hook: string, place: string): boolean {
			attempt(read);
			if ((places.get(hook) ?? beginningOfLog) >= place) return false;
			places.set(hook, place);
			attempt(write);
			return true;
		},
	};
}

/** Why a run failed. Failures of one kind are reported once. */
type HookFailure = { kind: string; text: string };

/** Runs a hook once, and returns what went wrong; undefined if nothing did. */
export async function runHook(
	{ command, timeoutMs }: Hook,
	event: HookEvent,
	environment: Environment,
	{ signal, ...effects }: ChildEffects & { signal: AbortSignal },
): Promise<HookFailure | undefined> {
	const input = `${JSON.stringify(eventRecord(event))}\n`;
	const variables = eventVariables(event);
	const options = { command, environment, variables, input, timeoutMs, signal };
	return failureOf(await runChild(options, effects));
}

function failureOf({ ending, stderr }: ChildResult): HookFailure | undefined {
	const lastLine = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
	const quoted = lastLine === '' ? '' : `: ${lastLine.slice(0, 200)}`;
	switch (ending.kind) {
		case 'exited': {
			const { code } = ending;
			return code === 0
				? undefined
				: { kind: `code ${code}`, text: `ended with code ${code}${quoted}` };
		}
		case 'killed':
			return { kind: ending.signal, text: `was ended by ${ending.signal}${quoted}` };
		case 'notStarted':
			return { kind: ending.reason, text: `was not started: ${ending.reason}` };
		case 'timedOut': {
			const limit = durationText(ending.timeoutMs);
			return { kind: 'timeout', text: `took longer than ${limit} and was ended${quoted}` };
		}
		case 'aborted':
			return undefined;
	}
}
