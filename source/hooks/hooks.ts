import type { Hook } from '../accounts/hook-settings.ts';
import { isErrorNotRead } from '../fleet/computers/not-read.ts';
import type { ChildEffects, Environment } from '../foundation/children.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { createEdgeDetector, nothingLearnt } from './edge-detector.ts';
import { type Edge, eventKindFor } from './hook-event.ts';
import { openHookFile, type WaitingEvent } from './hook-file.ts';
import { createHookQueue } from './hook-queue.ts';
import { operationEdges } from './operation-edges.ts';
import { createProblemReport } from './problem-report.ts';
import { runHook } from './run-hook.ts';

/** An account whose changes run hooks. */
export type HookedAccount = {
	/** The key of the account in the store. */
	account: string;
	/** The name of its profile. */
	accountName: string;
	store: Store;
	/** Whether this process runs the hooks of the account. Only one process of a host does. */
	isRecorder: () => boolean;
	/** The credits are low if they last no longer than this. */
	lowCreditsMs: number;
};

type HooksOptions = ChildEffects & {
	hooks: readonly Hook[];
	/** The folder of the files that keep the state that hooks were last informed of. */
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

/** How long the edge of a computer in error waits for its reason, which is often read after the status. */
const reasonWaitMs = 10_000;

/** When the program ends, hooks that still run have this long to finish. */
const closingMs = 1_000;

/**
 * Runs the hooks of a configuration:
 *
 * ```
 *   fact ─▶ store ─▶ edges ─▶ file ─▶ queue of each hook ─▶ file ─▶ child process
 *                      ▲        │
 *                      └────────┘ the state before, at the next start or takeover
 * ```
 *
 */
export function createHooks(options: HooksOptions): Hooks {
	const { hooks, environment, clock, onProblem } = options;
	const closing = new AbortController();
	const effects = { ...options, signal: closing.signal };
	const report = createProblemReport(clock, ({ account, hook, message }) => {
		onProblem(`The hook ${hook} ${message}`);
		const { store } = attached.get(account) ?? {};
		store?.receive([{ account, at: clock.now(), type: 'hookFailed', hook, message }]);
	});
	const attached = new Map<string, ReturnType<typeof attachAccount>>();
	const running = new Set<Promise<void>>();
	const queues = new Map(hooks.map(hook => [hook.id, queueOf(hook)]));

	function queueOf(hook: Hook) {
		return createHookQueue({
			...hook,
			clock,
			async run(event) {
				// A process that was stopped may find that another one runs the hooks now.
				if (!attached.get(event.account)?.noteNotWaiting([{ hook: hook.id, event }])) return;
				const run = runHook(hook, event, environment, effects).then(failure =>
					report.noteRun(hook, event.account, failure),
				);
				running.add(run);
				await run;
				running.delete(run);
			},
			onDrop(events) {
				for (const [account, { noteNotWaiting }] of attached) {
					const ofAccount = events.filter(event => event.account === account);
					noteNotWaiting(ofAccount.map(event => ({ hook: hook.id, event })));
				}
				report.noteDropped(hook, events[0]?.account ?? '', events.length);
			},
		});
	}

	function attachAccount(place: HookedAccount) {
		return hookAccount(place, options, waiting => {
			if (waiting === 'none') {
				for (const queue of queues.values()) queue.forget(place.account);
				return;
			}
			for (const [id, queue] of queues)
				queue.add(waiting.filter(({ hook }) => hook === id).map(({ event }) => event));
		});
	}

	return {
		attach(place) {
			const hooked = attachAccount(place);
			attached.set(place.account, hooked);
			return () => {
				hooked.stop();
				attached.delete(place.account);
				for (const queue of queues.values()) queue.forget(place.account);
			};
		},
		async close(maxRunMs = closingMs) {
			for (const { stop } of attached.values()) stop();
			for (const queue of queues.values()) queue.close();
			report.close();
			const cancelTimer = clock.after(maxRunMs, () => closing.abort());
			await Promise.all(running);
			cancelTimer();
		},
	};
}

/**
 * Finds the edges of one account while this process is the recorder, and passes on the events that wait for a hook.
 * When another process becomes the recorder, this process forgets its waiting events.
 */
function hookAccount(
	{ account, accountName, store, isRecorder, lowCreditsMs }: HookedAccount,
	{ hooks, directory, clock, onProblem }: HooksOptions,
	onWaiting: (waiting: readonly WaitingEvent[] | 'none') => void,
) {
	let recording:
		| { detector: ReturnType<typeof createEdgeDetector>; file: ReturnType<typeof openHookFile> }
		| undefined;

	/** Reads the file that the previous recorder has written. */
	function beginRecording() {
		const file = openHookFile({
			directory,
			account,
			accountName,
			onProblem: reason => onProblem(`Hooks cannot use their file: ${reason}`),
		});
		const { known, waiting } = file.load();
		// At the very first start, the answer that made this process the recorder was asked for before, and is the first one.
		const validFrom = known ? clock.now() : Number.NEGATIVE_INFINITY;
		const detector = createEdgeDetector({ known, validFrom, lowCreditsMs });
		onWaiting(waiting);
		return { detector, file };
	}

	function currentRecording() {
		if (!isRecorder()) {
			if (recording) onWaiting('none');
			forgetHeld();
			recording = undefined;
			return undefined;
		}
		recording ??= beginRecording();
		return recording;
	}

	/** The edges that wait for a reason, by computer. They are not in the file, so a process that ends misses them. */
	const held = new Map<string, { edge: Edge; cancel: () => void }>();

	function forgetHeld() {
		for (const { cancel } of held.values()) cancel();
		held.clear();
	}

	/** Takes back an edge that waits for its reason. */
	function takeHeld(id: string): readonly Edge[] {
		const waiting = held.get(id);
		waiting?.cancel();
		held.delete(id);
		return waiting ? [waiting.edge] : [];
	}

	function passOn(edges: readonly Edge[], current: NonNullable<typeof recording>) {
		const waiting = eventsOf(edges);
		current.file.noteLearnt(nothingLearnt, waiting);
		if (waiting.length > 0) onWaiting(waiting);
	}

	/** Returns the edges whose reason is known now, or that have waited, and holds those whose reason may still be read. */
	function withReasons(edges: readonly Edge[], { computers }: AccountState): readonly Edge[] {
		const ready = [...held].flatMap(([id, { edge }]) => {
			const computer = computers.get(id);
			if (computer && isErrorNotRead(computer)) return [];
			takeHeld(id);
			const isSameError = computer?.phase === 'error';
			return { ...edge, reason: isSameError ? (computer.reading.error ?? null) : null };
		});
		const unheld = edges.flatMap(edge => {
			const computer = edge.kind === 'stateChanged' ? computers.get(edge.subject) : undefined;
			if (!computer || !isErrorNotRead(computer)) return edge;
			const earlier = takeHeld(computer.id);
			const release = () => {
				const waited = takeHeld(computer.id);
				const current = currentRecording();
				if (current) passOn(waited, current);
			};
			held.set(computer.id, { edge, cancel: clock.after(reasonWaitMs, release) });
			return earlier;
		});
		return [...ready, ...unheld];
	}

	function eventsOf(edges: readonly Edge[]): readonly WaitingEvent[] {
		return hooks.flatMap(hook =>
			edges.flatMap(edge => {
				const kind = eventKindFor(hook, edge);
				return kind
					? { hook: hook.id, event: { account, accountName, kind, edge, merged: 0 } }
					: [];
			}),
		);
	}

	const unsubscribe = store.onFact((fact, before, after) => {
		if (fact.account !== account) return;
		const state = after.accounts.get(account);
		const earlier = before.accounts.get(account) ?? emptyAccount;
		const isRecalled = fact.type === 'recalled';
		if (!state || state === earlier || isRecalled) return;
		const current = currentRecording();
		if (!current) return;
		const { edges, learnt } = current.detector.step(state, fact.at);
		const ready = withReasons(edges, state);
		const waiting = eventsOf([...ready, ...operationEdges(earlier, state)]);
		current.file.noteLearnt(learnt, waiting);
		if (waiting.length > 0) onWaiting(waiting);
	});

	return {
		store,
		stop() {
			unsubscribe();
			forgetHeld();
		},
		/** Notes that events no longer wait. Returns whether this process is still the recorder. */
		noteNotWaiting(events: readonly WaitingEvent[]): boolean {
			const current = currentRecording();
			if (events.length > 0) current?.file.noteNotWaiting(events);
			return current !== undefined;
		},
	};
}
