import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Hook, HookKind, hookFields, hookVariables } from '../accounts/hook-settings.ts';
import {
	createPrivately,
	readPrivately,
	undefinedIfMissing,
	writePrivately,
} from '../accounts/private-file.ts';
import {
	accountEvents,
	type Change,
	computerIdOf,
	continuationOf,
	type StatusChange,
	stateOf,
	subjectOf,
} from '../fleet/change.ts';
import { isErrorNotRead, phaseOf } from '../fleet/computers/computer.ts';
import {
	type ChildEffects,
	childProblemText,
	type Environment,
	runChild,
} from '../foundation/children.ts';
import { stateFileErrorText } from '../foundation/error.ts';
import * as v from '../foundation/schema.ts';
import { jsonFrom, validatorOf } from '../foundation/schema.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Recorder } from './journal.ts';
import { beginningOfLog, changeIn, createLogTail, endOfLog, type LoggedLine } from './log-files.ts';

type HookedAccount = {
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

export type Hooks = ReturnType<typeof createHooks>;

/** No event tells of a line that another process wrote. */
const checkIntervalMs = 2_000;

/** The reason is often read after the status. */
const reasonWaitMs = 10_000;

const closingMs = 1_000;

const maxHandledLines = 2_000;

type Runner = {
	hook: Hook;
	running: Set<Promise<void>>;
	/** Kinds of failure, each reported once until the hook works again. */
	reported: Set<string>;
};

export function createHooks(options: HooksOptions) {
	const closing = new AbortController();
	const stops = new Set<() => void>();
	const runners = options.hooks.map(
		(hook): Runner => ({ hook, running: new Set(), reported: new Set() }),
	);

	return {
		attach(account: HookedAccount): () => void {
			const stop = runHooksOf(account, runners, options, closing.signal);
			stops.add(stop);
			return stop;
		},
		async close(maxRunMs = closingMs) {
			for (const stop of stops) stop();
			const cancelTimer = options.clock.after(maxRunMs, () => closing.abort());
			await Promise.all(runners.flatMap(({ running }) => [...running]));
			cancelTimer();
		},
	};
}

/**
 * The place of the last handled line is written before its hooks start, so none runs twice for it. What waits is left
 * to the next process.
 */
function runHooksOf(
	{ account, profile, store, recorder }: HookedAccount,
	runners: readonly Runner[],
	options: HooksOptions,
	signal: AbortSignal,
): () => void {
	const { directory, clock, environment, onProblem } = options;
	const hookIds = runners.map(({ hook }) => hook.id);
	const handled = openHandled(directory, account, hookIds, onProblem);
	/** By hook and subject. The last change is reported at the end. */
	const cooldowns = new Map<string, { runner: Runner; until: number; last?: HookEvent }>();
	let newLines: ReturnType<typeof createLogTail> | undefined;
	let latest = new Map<string, Change>();
	let waiting: { change: Change; place: string }[] = [];
	let cancelTimer = () => {};

	const stateNow = () => store.getState().accounts.get(account) ?? emptyAccount;
	const isFull = ({ hook, running }: Runner) => running.size >= hook.maxRunning;

	function check() {
		checkAfter(checkIntervalMs);
		if (!recorder.getState()) return;
		for (const { text, place } of linesToHandle()) {
			const logged = changeIn(text, account);
			const change = logged && newsIn(logged);
			if (change && place > handled.place()) waiting.push({ change, place });
		}
		startNext();
	}

	function checkAfter(milliseconds: number) {
		cancelTimer();
		cancelTimer = clock.after(milliseconds, check);
	}

	function forget() {
		newLines = undefined;
		waiting = [];
		cooldowns.clear();
	}

	/** At first with handled lines, because a change may only repeat what an earlier one says. */
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
			handled.begin();
		}
		const ours = lines.filter(({ text }) => text.includes(JSON.stringify(account)));
		const handledCount = ours.filter(({ place }) => place <= handled.place()).length;
		return ours.slice(Math.max(0, handledCount - maxHandledLines));
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

	function startNext() {
		for (const [key, { runner, until, last }] of [...cooldowns]) {
			if (clock.monotonic() < until) continue;
			if (!last) cooldowns.delete(key);
			else if (!isFull(runner)) start(key, runner, last);
		}
		for (let line = waiting[0]; line; line = waiting[0]) {
			const { change, place } = line;
			const meant = runners.flatMap(runner => {
				const kind = hookKindOf(runner.hook, change, stateNow());
				return kind ? [{ runner, kind }] : [];
			});
			const mustWait = isReasonAwaited(change) || meant.some(({ runner }) => isFull(runner));
			if (meant.length > 0 && mustWait) return;
			waiting.shift();
			if (meant.length === 0 || !handled.take(place)) continue;
			for (const { runner, kind } of meant) startOrHold(runner, kind, change);
		}
	}

	function startOrHold(runner: Runner, kind: HookKind, change: Change) {
		const event = hookEventOf(kind, change, profile.name, stateNow());
		const key = JSON.stringify([runner.hook.id, kind, hookSubjectOf(change)]);
		const cooldown = cooldowns.get(key);
		if (!cooldown) return start(key, runner, event);
		const merged = cooldown.last ? cooldown.last.merged + 1 : 0;
		cooldown.last = { ...event, merged };
	}

	function start(key: string, runner: Runner, event: HookEvent) {
		cooldowns.set(key, { runner, until: clock.monotonic() + runner.hook.cooldownMs });
		const ended = run(runner, event).then(() => {
			runner.running.delete(ended);
			startNext();
		});
		runner.running.add(ended);
	}

	async function run({ hook, reported }: Runner, event: HookEvent) {
		const { on, command, timeoutMs } = hook;
		const variables = hookVariablesOf(event);
		const input = `${JSON.stringify(event)}\n`;
		const { ending, stderr } = await runChild(
			{ command, environment, variables, input, timeoutMs, signal },
			options,
		);
		const problem = ending.kind === 'aborted' ? undefined : childProblemText(ending);
		if (problem === undefined) return reported.clear();
		if (reported.has(problem)) return;
		reported.add(problem);
		// A hook has no name, so messages call it by its events and its program.
		const name = `${on.join(', ')} → ${command[0]}`;
		const said = stderr.trimEnd().split('\n').at(-1)?.trim().slice(0, 200);
		const message = said ? `${problem}: ${said}` : problem;
		onProblem(`The hook ${name} ${message}`);
		const at = clock.now();
		const change = { type: 'hookFailed', at, notBefore: at, hook: name, message } as const;
		store.receive([{ account, at, type: 'changeNoted', change }]);
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

/** Two processes may look for the outcome of one operation. */
const isToldAgain = (earlier: Change | undefined, change: Change) =>
	earlier?.type === 'operationMoved' &&
	(!['sent', 'unknown'].includes(earlier.to) || stateOf(earlier) === stateOf(change));

const { parse: parseKnownHooks } = validatorOf(
	v.object({ version: v.literal(1), hooks: v.listOf(v.word) }),
);

/**
 * Keeps the place in the log in the name of an empty file, which only one process can create: `hooks-HASH
 * 2026-11-001.jsonl 000000012`. The known hooks stand in `hooks-HASH.json`, and
 * without them the hooks begin at the end of the log.
 */
function openHandled(
	directory: string,
	account: string,
	hooks: readonly string[],
	onProblem: (reason: string) => void,
) {
	const name = `hooks-${shortHash(account)}`;
	const pathOf = (place: string) => join(directory, `${name} ${place}`);
	let latest = beginningOfLog;
	let isReported = false;

	function attempt<T>(work: () => T): T | undefined {
		try {
			return work();
		} catch (error) {
			if (!isReported) onProblem(`Hooks cannot use their file: ${stateFileErrorText(error)}`);
			isReported = true;
			return undefined;
		}
	}

	function places(): readonly string[] {
		const names = undefinedIfMissing(() => readdirSync(directory)) ?? [];
		const ours = names.filter(each => each.startsWith(`${name} `));
		return [beginningOfLog, ...ours.map(each => each.slice(name.length + 1)).sort()];
	}

	/** False if a process has handled it, or one of the lines after it. */
	function claim(place: string): boolean {
		if ((places().at(-1) ?? '') >= place || !createPrivately(pathOf(place))) return false;
		const all = places();
		for (const each of all.slice(0, -1)) rmSync(pathOf(each), { force: true });
		return all.at(-1) === place;
	}

	function take(place: string): boolean {
		latest = place;
		return attempt(() => claim(place)) ?? true;
	}

	return {
		place: () => latest,
		begin() {
			const path = join(directory, `${name}.json`);
			const file = attempt(() => parseKnownHooks(jsonFrom(readPrivately(path) ?? '')));
			const known = hooks.filter(hook => file?.hooks.includes(hook));
			if (known.length > 0) latest = attempt(() => places().at(-1)) ?? beginningOfLog;
			else take(endOfLog(directory));
			if (known.length < hooks.length)
				attempt(() => writePrivately(path, JSON.stringify({ version: 1, hooks }), false));
		},
		/** One that ends afterwards, before its hooks start, misses the line. */
		take,
	};
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
		case 'toppedUp':
		case 'released':
		case 'hookFailed':
			return undefined;
	}
}

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
	{ computers }: AccountState,
): HookEvent {
	const id = computerIdOf(change);
	const known = computers.get(id ?? '');
	const { address = null } = known?.reading ?? {};
	const computerNamed = (name: string | undefined) =>
		id === undefined ? null : { id, name: name || known?.reading.name || null, address };
	const event = {
		kind,
		account: accountName,
		computer: null,
		operation: null,
		from: null,
		to: null,
		reason: null,
		time: new Date(change.at).toISOString(),
		merged: 0,
	} satisfies Record<keyof typeof hookFields, unknown>;
	switch (change.type) {
		case 'statusChanged': {
			const {
				name,
				from,
				to,
				error = known?.phase === 'error' ? known.reading.error : null,
			} = change;
			const reason = (phaseIn(to) === 'error' ? error : change.reason) ?? null;
			return { ...event, computer: computerNamed(name), from, to, reason };
		}
		case 'operationMoved': {
			const { operation, name } = change.wish;
			const to = change.to === 'settled' ? 'done' : change.to;
			const reason = change.message ?? null;
			return { ...event, computer: computerNamed(name), operation, to, reason };
		}
		case 'accountNoted': {
			const { from, to } = accountEvents[change.event];
			return { ...event, from, to, reason: change.message ?? null };
		}
		case 'toppedUp':
		case 'released':
		case 'hookFailed':
			return event;
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
