import { join } from 'node:path';
import type { Hook, HookKind, hookFields, hookVariables } from '../accounts/hook-settings.ts';
import { readPrivately, writePrivately } from '../accounts/private-file.ts';
import {
	type Change,
	computerIdOf,
	continuationOf,
	type StatusChange,
	subjectOf,
} from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import { isErrorNotRead } from '../fleet/computers/not-read.ts';
import {
	type ChildEffects,
	type ChildEnding,
	type Environment,
	runChild,
} from '../foundation/children.ts';
import { durationText } from '../foundation/duration.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import * as v from '../foundation/schema.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { jsonFrom, validatorOf } from '../foundation/validate.ts';
import { type AccountState, type ComputerState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Recorder } from './journal.ts';
import { beginningOfLog, changeIn, createLogTail, endOfLog, type LoggedLine } from './log-files.ts';

export type HookedAccount = {
	account: string;
	profile: { name: string };
	store: Store;
	recorder: Pick<Recorder, 'getState'>;
};

type HooksOptions = ChildEffects & {
	hooks: readonly Hook[];
	directory: string;
	environment: Environment;
	onProblem: (message: string) => void;
};

export type Hooks = {
	attach(account: HookedAccount): () => void;
	close(maxRunMs?: number): Promise<void>;
};

/** A process that writes to the log tells nobody, so the log is also read at this interval. */
const checkIntervalMs = 2_000;

/** How long a computer in error waits for its reason, which is often read after the status. */
const reasonWaitMs = 10_000;

const closingMs = 1_000;

const maxHandledLines = 2_000;

/**
 * ```
 *   fact ─▶ journal ─▶ log ─▶ queue of each hook ─▶ place of the last handled line ─▶ child process
 * ```
 *
 * The place is written before a hook starts, so no hook runs twice for a line, and what waits is left to the next
 * process.
 */
export function createHooks(options: HooksOptions): Hooks {
	const closing = new AbortController();
	const stops = new Set<() => void>();
	const queues = options.hooks.map(hook => createHookQueue(hook, options, closing.signal));

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
			const cancelTimer = options.clock.after(maxRunMs, () => closing.abort());
			await Promise.all(queues.flatMap(({ running }) => [...running]));
			cancelTimer();
		},
	};
}

function followLog(
	from: HookedAccount,
	queues: readonly HookQueue[],
	{ directory, clock, onProblem }: HooksOptions,
): () => void {
	const { account, profile, store } = from;
	const isRecorder = from.recorder.getState;
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

	function forget() {
		newLines = undefined;
		for (const queue of queues) queue.forget(from);
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
			const logged = changeIn(text, account);
			const change = logged && newsIn(logged);
			if (!change) continue;
			for (const queue of queues) {
				const kind = hookKindOf(queue.hook, change, stateNow());
				if (!kind || place <= placeOf(queue.hook.id)) continue;
				queue.add({
					from,
					subject: JSON.stringify([account, kind, hookSubjectOf(change)]),
					readyAt: () => reasonComesUntil(change),
					take() {
						if (isRecorder()) return places.take(queue.hook.id, place);
						newLines = undefined;
						return false;
					},
					event: () => hookEventOf(kind, change, profile.name, stateNow()),
				});
			}
		}
		for (const queue of queues) queue.startNext();
	}

	function newsIn(change: Change): Change | undefined {
		const subject = subjectOf(change);
		const earlier = latest.get(subject);
		const news = continuationOf(earlier, change);
		// The same again is known to be so until then.
		if (news || change.at > (earlier?.at ?? 0)) latest.set(subject, news ?? change);
		return news;
	}

	function reasonComesUntil(change: Change): number {
		if (change.type !== 'statusChanged' || change.error !== undefined) return 0;
		const computer = stateNow().computers.get(change.id);
		return computer && isErrorNotRead(computer) ? change.at + reasonWaitMs : 0;
	}

	const unsubscribe = store.onFact((fact, before, after) => {
		if (fact.account !== account) return;
		if (before.accounts.get(account) === after.accounts.get(account)) return;
		cancelTimer();
		cancelTimer = clock.after(0, check);
	});
	return () => {
		unsubscribe();
		cancelTimer();
		forget();
	};
}

type WaitingLine = {
	from: HookedAccount;
	subject: string;
	readyAt: () => number;
	take: () => boolean;
	event: () => HookEvent;
};

type HookQueue = ReturnType<typeof createHookQueue>;

/** At the end of a cooldown, the last change in it is reported. */
function createHookQueue(
	hook: Hook,
	{ environment, onProblem, ...effects }: HooksOptions,
	signal: AbortSignal,
) {
	const { clock } = effects;
	type Cooldown = { until: number; from: HookedAccount; last?: HookEvent | undefined };
	let waiting: WaitingLine[] = [];
	const cooldowns = new Map<string, Cooldown>();
	const running = new Set<Promise<void>>();
	/** Each kind of failure is reported once, until the hook works again. */
	const reported = new Set<string>();
	let cancelTimer = () => {};
	const isFull = () => running.size >= hook.maxRunning;

	async function run(event: HookEvent, { account, store }: HookedAccount) {
		const failure = await runHook(hook, event, environment, { ...effects, signal });
		if (!failure) return reported.clear();
		if (reported.has(failure.kind)) return;
		reported.add(failure.kind);
		// A hook has no name, so messages call it by its events and its program.
		const name = `${hook.on.join(', ')} → ${hook.command[0]}`;
		const message = failure.kind + failure.said;
		onProblem(`The hook ${name} ${message}`);
		store.receive([{ account, at: clock.now(), type: 'hookFailed', hook: name, message }]);
	}

	function start(subject: string, event: HookEvent, from: HookedAccount) {
		cooldowns.set(subject, { until: clock.now() + hook.cooldownMs, from });
		const ended = run(event, from).then(() => {
			running.delete(ended);
			startNext();
		});
		running.add(ended);
	}

	function startNext() {
		cancelTimer();
		const now = clock.now();
		for (const [subject, { until, last, from }] of [...cooldowns]) {
			// An end that is too far away was noted before the clock was set back.
			if (until > now && until - now <= hook.cooldownMs) continue;
			if (!last) cooldowns.delete(subject);
			else if (!isFull()) start(subject, last, from);
		}
		let [line] = waiting;
		while (line && !isFull() && !isLater(line.readyAt(), now)) {
			waiting.shift();
			if (line.take()) startOrHold(line);
			[line] = waiting;
		}
		if (isFull()) return;
		const ends = [...cooldowns.values()].flatMap(({ last, until }) => (last ? [until] : []));
		const wakeAt = Math.min(...ends, line?.readyAt() ?? Number.POSITIVE_INFINITY);
		if (wakeAt < Number.POSITIVE_INFINITY) cancelTimer = clock.after(wakeAt - now, startNext);
	}

	function startOrHold({ subject, event, from }: WaitingLine) {
		const cooldown = cooldowns.get(subject);
		if (!cooldown) return start(subject, event(), from);
		const merged = cooldown.last ? cooldown.last.merged + 1 : 0;
		cooldown.last = { ...event(), merged };
	}

	return {
		hook,
		running,
		add: (line: WaitingLine) => void waiting.push(line),
		startNext,
		forget(from: HookedAccount) {
			waiting = waiting.filter(line => line.from !== from);
			for (const cooldown of cooldowns.values())
				if (cooldown.from === from) cooldown.last = undefined;
		},
	};
}

/** Whether a time lies ahead, unless it does so because the clock was set back. */
const isLater = (time: number, now: number) => time > now && time - now <= reasonWaitMs;

const { isValid: isPlaceFile } = validatorOf(
	v.object({
		version: v.count,
		handled: v.listOf(v.object({ hook: v.word, place: v.word })),
	}),
);

function openPlaceFile(directory: string, account: string, onProblem: (reason: string) => void) {
	const path = join(directory, `hooks-${shortHash(account)}.json`);
	let places = new Map<string, string>();
	let isFailing = false;

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
		writePrivately(path, JSON.stringify({ version: 1, handled }), false);
		isFailing = false;
	}

	return {
		/** A hook that is new begins at the end of the log. */
		begin(hooks: readonly string[]): ReadonlyMap<string, string> {
			attempt(read);
			attempt(() => {
				const added = hooks.filter(hook => !places.has(hook));
				for (const hook of added) places.set(hook, endOfLog(directory));
				if (added.length > 0) write();
			});
			return new Map(places);
		},
		take(hook: string, place: string): boolean {
			attempt(read);
			if ((places.get(hook) ?? beginningOfLog) >= place) return false;
			places.set(hook, place);
			attempt(write);
			return true;
		},
	};
}

type HookFailure = { kind: string; said: string };

export async function runHook(
	{ command, timeoutMs }: Hook,
	event: HookEvent,
	environment: Environment,
	{ signal, ...effects }: ChildEffects & { signal: AbortSignal },
): Promise<HookFailure | undefined> {
	const input = `${JSON.stringify(event)}\n`;
	const variables = hookVariablesOf(event);
	const options = { command, environment, variables, input, timeoutMs, signal };
	const { ending, stderr } = await runChild(options, effects);
	const kind = failureText(ending);
	const lastLine = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
	return kind === undefined
		? undefined
		: { kind, said: lastLine === '' ? '' : `: ${lastLine.slice(0, 200)}` };
}

function failureText(ending: ChildEnding): string | undefined {
	switch (ending.kind) {
		case 'exited':
			return ending.code === 0 ? undefined : `ended with code ${ending.code}`;
		case 'killed':
			return `was ended by ${ending.signal}`;
		case 'notStarted':
			return `was not started: ${ending.reason}`;
		case 'timedOut':
			return `took longer than ${durationText(ending.timeoutMs)} and was ended`;
		case 'aborted':
			return undefined;
	}
}

export type HookEvent = {
	kind: HookKind;
	account: string;
	computer: { id: string; name: string | null; address: string | null } | null;
	operation: string | null;
	from: string | null;
	to: string | null;
	reason: string | null;
	time: string;
	merged: number;
};

function hookKindOf(
	{ on, from, to }: Pick<Hook, 'on' | 'from' | 'to'>,
	change: Change,
	{ operations }: AccountState,
): HookKind | undefined {
	const ifWanted = (kind: HookKind) => (on.includes(kind) ? kind : undefined);
	switch (change.type) {
		case 'statusChanged': {
			if (isFailure(change) && on.includes('computerFailed')) return 'computerFailed';
			const isMatch = isStatusIn(from, change.from) && isStatusIn(to, change.to);
			return isMatch ? ifWanted('stateChanged') : undefined;
		}
		case 'operationMoved': {
			// An operation whose response was lost has ended only when its outcome is found or given up.
			const isGivenUp = operations.get(change.wish.key)?.stage === 'failed';
			const hasEnded = ['settled', 'failed'].includes(change.to);
			return hasEnded || (change.to === 'unknown' && isGivenUp)
				? ifWanted('operationEnded')
				: undefined;
		}
		case 'accountNoted':
			return on.find(kind => kind === change.event);
		default:
			return undefined;
	}
}

/** What a cooldown counts for: a computer, an operation on a computer, or the account. */
function hookSubjectOf(change: Change): string {
	if (change.type !== 'operationMoved') return subjectOf(change);
	const { operation, computer, key } = change.wish;
	return `${operation} ${computer ?? key}`;
}

const phaseIn = (status: string | null) => (status === null ? undefined : phaseOf(status));

const isFailure = ({ from, to }: StatusChange) =>
	phaseIn(to) === 'error' && phaseIn(from) !== 'error';

function isStatusIn(words: readonly string[] | undefined, status: string | null): boolean {
	if (!words) return true;
	return (
		status !== null && (words.includes(status.toLowerCase()) || words.includes(phaseOf(status)))
	);
}

function hookEventOf(
	kind: HookKind,
	change: Change,
	accountName: string,
	account: AccountState,
): HookEvent {
	const id = computerIdOf(change);
	const known = id === undefined ? undefined : account.computers.get(id);
	const { wish = undefined } = change.type === 'operationMoved' ? change : {};
	const named = wish ?? change;
	const name = ('name' in named && named.name) || known?.reading.name || null;
	return {
		kind,
		account: accountName,
		computer: id === undefined ? null : { id, name, address: known?.reading.address ?? null },
		operation: wish?.operation ?? null,
		...valuesOf(change, known),
		time: new Date(change.at).toISOString(),
		merged: 0,
	} satisfies Record<keyof typeof hookFields, unknown>;
}

const accountValues = {
	accountDown: { from: 'up', to: 'down' },
	accountUp: { from: 'down', to: 'up' },
	creditsLow: { from: 'enough', to: 'low' },
	creditsEnough: { from: 'low', to: 'enough' },
} as const;

function valuesOf(
	change: Change,
	known: ComputerState | undefined,
): Pick<HookEvent, 'from' | 'to' | 'reason'> {
	switch (change.type) {
		case 'statusChanged': {
			const { from, to } = change;
			const error = change.error ?? (known?.phase === 'error' ? known.reading.error : null);
			return { from, to, reason: (phaseIn(to) === 'error' ? error : change.reason) ?? null };
		}
		case 'operationMoved': {
			const to = change.to === 'settled' ? 'done' : change.to;
			return { from: null, to, reason: change.message ?? null };
		}
		case 'accountNoted':
			return { ...accountValues[change.event], reason: change.message ?? null };
		default:
			return { from: null, to: null, reason: null };
	}
}

const hookVariablesOf = (
	event: HookEvent,
): Readonly<Record<keyof typeof hookVariables, string>> => ({
	CROWSNEST_EVENT: event.kind,
	CROWSNEST_ACCOUNT: event.account,
	CROWSNEST_COMPUTER_ID: event.computer?.id ?? '',
	CROWSNEST_COMPUTER_NAME: event.computer?.name ?? '',
	CROWSNEST_COMPUTER_ADDRESS: event.computer?.address ?? '',
	CROWSNEST_FROM: event.from ?? '',
	CROWSNEST_TO: event.to ?? '',
	CROWSNEST_REASON: event.reason ?? '',
});
