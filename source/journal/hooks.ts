import { join } from 'node:path';
import type { Hook, HookKind, hookFields, hookVariables } from '../accounts/hook-settings.ts';
import { readPrivately, writePrivately } from '../accounts/private-file.ts';
import {
	type Change,
	computerIdOf,
	continuationOf,
	type OperationMove,
	type StatusChange,
	stateOf,
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
	recorder: Pick<Recorder, 'getState' | 'subscribe'>;
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

/** A process that writes to the log tells nobody, so the log is also read at this interval. Cooldowns end with it. */
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
		attach(account) {
			const stop = fillQueues(account, queues, options);
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

/** Adds what the log tells of an account, while this process records. */
function fillQueues(
	from: HookedAccount,
	queues: readonly HookQueue[],
	{ directory, clock, onProblem }: HooksOptions,
): () => void {
	const { account, profile, store, recorder } = from;
	const quotedAccount = JSON.stringify(account);
	const stateNow = () => store.getState().accounts.get(account) ?? emptyAccount;
	const hookIds = queues.map(({ hook }) => hook.id);
	const places = openPlaceFile(directory, account, onProblem);
	let newLines: ReturnType<typeof createLogTail> | undefined;
	let latest = new Map<string, Change>();
	let cancelTimer = () => {};

	function check() {
		checkAfter(checkIntervalMs);
		if (!recorder.getState()) return;
		for (const line of linesToHandle()) handle(line);
		for (const queue of queues) queue.startNext();
	}

	function checkAfter(milliseconds: number) {
		cancelTimer();
		cancelTimer = clock.after(milliseconds, check);
	}

	function forget() {
		newLines = undefined;
		for (const queue of queues) queue.forget(from);
	}

	/** At first with handled lines before those that are new, because a change may only repeat what an earlier one says. */
	function linesToHandle(): readonly LoggedLine[] {
		const isFirst = newLines === undefined;
		let lines: readonly LoggedLine[];
		try {
			newLines ??= createLogTail(directory, 'beginning');
			lines = newLines();
		} catch {
			// The journal reports this problem.
			return [];
		}
		if (isFirst) {
			latest = new Map();
			places.begin(hookIds);
		}
		const ours = lines.filter(({ text }) => text.includes(quotedAccount));
		const isHandled = ({ place }: LoggedLine) => hookIds.every(id => place <= places.of(id));
		return ours.slice(Math.max(0, ours.filter(isHandled).length - maxHandledLines));
	}

	function handle({ text, place }: LoggedLine) {
		const logged = changeIn(text, account);
		const change = logged && newsIn(logged);
		if (!change) return;
		for (const { hook, add } of queues) {
			const kind = hookKindOf(hook, change, stateNow());
			if (!kind || place <= places.of(hook.id)) continue;
			add({
				from,
				subject: JSON.stringify([account, kind, hookSubjectOf(change)]),
				isReady: () => !isReasonAwaited(change),
				take: () => places.take(hook.id, place),
				event: () => hookEventOf(kind, change, profile.name, stateNow()),
			});
		}
	}

	function newsIn(change: Change): Change | undefined {
		const subject = subjectOf(change);
		const earlier = latest.get(subject);
		const news = isToldAgain(earlier, change) ? undefined : continuationOf(earlier, change);
		if (news) latest.set(subject, news);
		// The same again is known to be so until then.
		else if (earlier && change.at > earlier.at) latest.set(subject, { ...earlier, at: change.at });
		return news;
	}

	function isReasonAwaited(change: Change): boolean {
		if (change.type !== 'statusChanged' || change.error !== undefined) return false;
		const computer = stateNow().computers.get(change.id);
		// The clock may have been set back since the change.
		const isRecent = Math.abs(clock.now() - change.at) < reasonWaitMs;
		return isRecent && computer !== undefined && isErrorNotRead(computer);
	}

	const stopFollowing = recorder.subscribe(begins => (begins ? checkAfter(0) : forget()));
	const unsubscribe = store.onFact((fact, before, after) => {
		if (fact.account !== account) return;
		if (before.accounts.get(account) !== after.accounts.get(account)) checkAfter(0);
	});
	check();

	return () => {
		stopFollowing();
		unsubscribe();
		cancelTimer();
		forget();
	};
}

/** Two processes may have looked for the outcome of an operation. */
const isToldAgain = (earlier: Change | undefined, change: Change) =>
	earlier?.type === 'operationMoved' &&
	(isEndOfOperation(earlier) || stateOf(earlier) === stateOf(change));

const isEndOfOperation = ({ to }: OperationMove) => !['sent', 'unknown'].includes(to);

type WaitingLine = {
	from: HookedAccount;
	subject: string;
	isReady: () => boolean;
	/** Notes that the line is handled; false if it is already. */
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
		const at = clock.now();
		const change = { type: 'hookFailed', at, notBefore: at, hook: name, message } as const;
		store.receive([{ account, at, type: 'changeNoted', change }]);
	}

	function start(subject: string, event: HookEvent, from: HookedAccount) {
		cooldowns.set(subject, { until: clock.monotonic() + hook.cooldownMs, from });
		const ended = run(event, from).then(() => {
			running.delete(ended);
			startNext();
		});
		running.add(ended);
	}

	function startNext() {
		for (const [subject, { until, last, from }] of [...cooldowns]) {
			if (clock.monotonic() < until) continue;
			if (!last) cooldowns.delete(subject);
			else if (!isFull()) start(subject, last, from);
		}
		while (!isFull() && waiting[0]?.isReady()) {
			const line = waiting.shift();
			if (line?.take()) startOrHold(line);
		}
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

const { isValid: isPlaceFile } = validatorOf(
	v.object({
		version: v.count,
		handled: v.listOf(v.object({ hook: v.word, place: v.word })),
	}),
);

/** Keeps the place of the last line that each hook has handled. */
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

	const of = (hook: string) => places.get(hook) ?? beginningOfLog;

	return {
		of,
		/** A hook that is new begins at the end of the log. */
		begin(hooks: readonly string[]) {
			attempt(read);
			const added = hooks.filter(hook => !places.has(hook));
			if (added.length === 0) return;
			attempt(() => {
				for (const hook of added) places.set(hook, endOfLog(directory));
				write();
			});
		},
		take(hook: string, place: string): boolean {
			attempt(read);
			if (of(hook) >= place) return false;
			places.set(hook, place);
			attempt(write);
			return true;
		},
	};
}

type HookFailure = { kind: string; said: string };

async function runHook(
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

type HookEvent = {
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
