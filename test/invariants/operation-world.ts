import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import {
	isUnderWay,
	isUnsent,
	type OperationSpec,
} from '../../source/fleet/operations/operation.ts';
import { createJumps } from '../../source/foundation/clock.ts';
import { createOperations, type OperatedAccount } from '../../source/operations/operations.ts';
import type { Question } from '../../source/operations/question-wording.ts';
import { type HoldReason, waitReasonsIn } from '../../source/operations/why-not.ts';
import { createFailure, PlatformError } from '../../source/platform/decoding/platform-error.ts';
import type { RequestOptions } from '../../source/platform/platform.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import { createStore, fold } from '../../source/store/store.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { createHeldClock } from '../held-clock.ts';
import { createMemoryLimiter } from '../limits/memory-log.ts';
import { profileOf } from '../opened-account.ts';
import { answerTo } from '../operations/open-operations.ts';

const account = 'owner';
const countdownMs = 4_000;

/** A request as the model of the platform sees it. */
type Request = {
	name: string;
	phase: 'waits' | 'has left' | 'signs in' | 'over';
	leftCount: number;
	refusedCount: number;
	options: RequestOptions;
	resolve: (value: unknown) => void;
	reject: (error: unknown) => void;
};

const computers = ['sb_1', 'sb_2'].map(id => ({ id, name: id, status: 'active' }));
const at = createHeldClock().now();
const initialState = fold(emptyState, { account, at, type: 'listRead', computers });

export type World = ReturnType<typeof openOperationWorld>;

/**
 * Opens operations, with a model of the platform in place of the network: a request waits for a slot, leaves, and is
 * answered when an event says so. Asks the questions of some operations in turn; each is answered by an event.
 */
export function openOperationWorld(asked: readonly string[]) {
	const clock = createHeldClock();
	const store = createStore();
	const requests: Request[] = [];
	const problems: string[] = [];
	const answeredAt: number[] = [];
	/** Since when a person sees the countdowns, on the monotonic clock; undefined while they are held. */
	let seenSince: number | undefined = clock.monotonic();
	/** Whether a person has seen the whole countdown of the first operation. */
	let isCountdownSeen = false;
	let isOver = false;
	let question: Question | undefined;
	let statusNow = 'active';

	function request(name: string, options: RequestOptions): Promise<never> {
		return new Promise((resolve, reject) => {
			const made: Request = {
				name,
				phase: 'waits',
				leftCount: 0,
				refusedCount: 0,
				options,
				resolve: resolve as (value: unknown) => void,
				reject,
			};
			requests.push(made);
			options.signal.addEventListener('abort', () => {
				if (made.phase === 'has left') return problems.push(`${name} was called back`);
				if (made.phase !== 'over') fail(made, createFailure('cancelled', 'cancelled'));
				return undefined;
			});
		});
	}

	function fail(made: Request, failure: ReturnType<typeof createFailure>) {
		made.phase = 'over';
		made.reject(new PlatformError(failure));
	}

	const platform = {
		operate: ({ operation, computer }: OperationSpec, options: RequestOptions) =>
			request(operation === 'create' ? 'create' : `${operation} ${computer}`, options),
		readStatus: async (id: string) => ({ id, status: statusNow }),
		readComputer: async (id: string) => ({ id, status: statusNow }),
		publicAddress: () => '',
	} as unknown as OperatedAccount['platform'];
	const operations = createOperations({
		store,
		clock,
		jumps: createJumps(clock),
		random: () => 0.5,
		lockAfterMs: Number.POSITIVE_INFINITY,
	});
	const removeAccount = operations.addAccount({
		profile: profileOf(account),
		platform,
		limiter: createMemoryLimiter(clock),
		watch: { wake() {}, readNow() {} },
	});
	const known = () => store.getState().accounts.get(account) ?? emptyAccount;
	const own = () => {
		const { operations: open, endedOperations: ended } = known();
		return [...ended.values(), ...open.values()].filter(({ pane }) => pane === undefined);
	};
	const waitReasons = () => waitReasonsIn([known()], operations.state(), clock.now());
	const requestIn = (...phases: readonly Request['phase'][]) =>
		requests.find(({ phase }) => phases.includes(phase));
	store.restore(initialState);

	/** Asks the next question. Nothing is sent before it is answered. */
	function askNext() {
		const name = asked[answeredAt.length];
		if (name === undefined) return;
		const [operation = ''] = name.split(' ');
		const id = name.includes('same') || answeredAt.length === 0 ? 'sb_1' : 'sb_2';
		const ids = operation === 'create' ? [] : [globalIdOf(account, id)];
		const result = operations.ask(operation, ids);
		question = result.type === 'question' ? result.question : undefined;
	}
	askNext();

	store.onFact((fact, before) => {
		if (fact.type !== 'operationChanged' || fact.step !== 'queued') return;
		const stage = before.accounts.get(account)?.operations.get(fact.key)?.stage;
		if (stage !== 'counting' && stage !== 'held') return;
		const since = Math.max(seenSince ?? Infinity, answeredAt[0] ?? Infinity);
		if (clock.monotonic() - since >= countdownMs) isCountdownSeen = true;
		else problems.push(`the countdown of ${fact.operation} ended out of sight`);
	});

	/** Lets a request leave, unless it is called back, and checks whether it may. */
	function letLeave(made: Request) {
		const { holdReason, isLocked } = operations.state();
		const logged = known().changes.length;
		made.options.onSent?.();
		if (made.options.signal.aborted) return;
		made.phase = 'has left';
		made.leftCount += 1;
		const isCounted = made.name.startsWith('restart');
		const isNoted = own().some(({ stage }) => stage === 'sent');
		const inFlight = requests.filter(({ phase }) => phase === 'has left');
		const others = requests.filter(each => each !== made);
		const isSame = (each: Request) => each.name === made.name && each.leftCount > each.refusedCount;
		const [action, id = ''] = made.name.split(' ');
		const isCreate = action === 'create';
		const isAccepted = isCreate || known().computers.get(id)?.phase === 'active';
		const isCreateUnknown = own().some(({ stage, spec }) => stage === 'unknown' && !spec.computer);
		const wrong: readonly [isWrong: boolean, how: string][] = [
			[!isAccepted, 'for a computer that does not accept it'],
			[id === 'sb_1' && known().operations.has('other'), 'beside that of another process'],
			[answeredAt.length === 0, 'without an answer'],
			[isOver, 'after the end'],
			[isLocked, 'while locked'],
			[holdReason === 'quit', 'behind the quit dialog'],
			[isCounted && !isCountdownSeen, 'in its countdown'],
			[!isNoted, 'without a note'],
			[made.leftCount === 1 && known().changes.length === logged, 'without a line in the log'],
			[made.leftCount - made.refusedCount > 1, 'twice'],
			[!isCreate && others.some(isSame), 'again'],
			[isCreate && inFlight.length > 1, 'beside another creation'],
			[isCreate && isCreateUnknown, 'while the outcome of another creation is unknown'],
		];
		for (const [isWrong, how] of wrong) if (isWrong) problems.push(`${made.name} left ${how}`);
	}

	/** Checks what has to be true after each event. */
	function check(event: string) {
		const reasonOf = waitReasons();
		for (const { spec, stage } of own()) {
			const steps = known().changes.flatMap(change =>
				change.type === 'operationMoved' && change.wish.key === spec.key ? [change.to] : [],
			);
			const ends = steps.filter(to => to !== 'sent' && to !== 'unknown');
			if (ends.length > 1) problems.push(`${spec.operation} has ended as ${ends.join(', ')}`);
			if (ends.length > 0 && steps.at(-1) !== ends.at(-1))
				problems.push(`${spec.operation} took a step after its end`);
			if (!isOver && isUnsent({ stage }) && reasonOf(spec.key) === undefined)
				problems.push(`${spec.operation} waits for no reason`);
			if (isOver && isUnsent({ stage }))
				problems.push(`${spec.operation} still waits after ${event}`);
		}
	}

	/** The platform responds to the first request that has left. Returns false if there is none. */
	function respond(how: (made: Request) => void): boolean {
		const made = requestIn('has left');
		if (made) how(made);
		return made !== undefined;
	}

	/** A read says that the first computer has this status. */
	function read(status: string) {
		statusNow = status;
		const computer = { id: 'sb_1', status };
		store.receive([{ account, at: clock.now(), type: 'computerRead', read: 'status', computer }]);
	}

	return {
		clock,
		operations,
		problems,
		/** Lets all promises go on that can. */
		async settle() {
			for (let turn = 0; turn < 24; turn += 1) await null;
		},
		check,
		/** Asks the next question again, if it was refused before. */
		ask(): boolean {
			if (question || answeredAt.length === asked.length) return false;
			askNext();
			return question !== undefined;
		},
		answer(): boolean {
			const open = operations.state().question;
			if (!open || open.id !== question?.id) return false;
			const result = operations.answer({ ...open, answers: open.steps.map(answerTo) });
			question = undefined;
			if (result.type !== 'begun') return true;
			answeredAt.push(clock.monotonic());
			askNext();
			return true;
		},
		escape() {
			if (operations.state().question) return operations.closeQuestion();
			const counting = own().filter(({ stage }) => stage === 'counting' || stage === 'held');
			operations.cancel('countingDown');
			const left = counting.filter(({ spec }) => known().operations.has(spec.key));
			if (left.length > 0) problems.push('Esc left a countdown');
		},
		cancelAll() {
			operations.cancel({ account });
			if ([...known().operations.values()].some(each => each.pane === undefined && isUnsent(each)))
				problems.push('x left something unsent');
		},
		hold(reason: HoldReason | undefined) {
			operations.hold(reason);
			if (reason !== undefined) seenSince = undefined;
			else seenSince ??= clock.monotonic();
		},
		closeAccount() {
			removeAccount();
			isOver = true;
		},
		quit() {
			operations.quit();
			isOver = true;
		},
		sleep(ms: number) {
			const isForgotten = ms > 10_000 && operations.state().holdReason !== 'suspended';
			const waiting = own()
				.filter(isUnsent)
				.map(({ spec }) => spec.key);
			clock.sleep(ms);
			if (seenSince !== undefined) seenSince = clock.monotonic();
			clock.move(1_000);
			const still = own().some(each => waiting.includes(each.spec.key) && isUnderWay(each));
			if (isForgotten && still) problems.push('what slept still waits');
		},
		/** A list says that all computers are gone. */
		clear() {
			store.receive([{ account, at: clock.now(), type: 'listRead', computers: [] }]);
		},
		read,
		/** Reads say that the first computer restarts, and then that it is active again. */
		showChange() {
			for (const status of ['restarting', 'active']) {
				clock.move(10);
				read(status);
			}
		},
		/** Another process has sent an operation on the first computer. */
		otherSends() {
			const spec = { key: 'other', operation: 'stop', computer: 'sb_1' };
			const now = clock.now();
			const fact = operationChanged(spec, 'sent', { asked: now, sent: now });
			store.receive([{ account, at: now, pane: '7', ...fact }]);
		},
		leave(): boolean {
			const next = requestIn('waits');
			if (next) letLeave(next);
			return next !== undefined;
		},
		accept: () =>
			respond(made => {
				made.phase = 'over';
				made.resolve({ id: 'sb_9', status: 'provisioning' });
			}),
		refuse: (kind: 'conflict' | 'limited', message: string, status: number) =>
			respond(made => {
				made.refusedCount += 1;
				fail(made, createFailure(kind, message, { status }));
			}),
		refuseToken: () =>
			respond(made => {
				made.refusedCount += 1;
				made.phase = 'signs in';
				made.options.onUnsent?.();
			}),
		loseResponse: () =>
			respond(made => fail(made, createFailure('offline', 'reset', { isOutcomeUnknown: true }))),
		signIn(isAccepted: boolean): boolean {
			const made = requestIn('signs in', 'waits');
			if (!made) return false;
			if (!isAccepted) fail(made, createFailure('auth', 'refused'));
			else if (made.phase === 'signs in') letLeave(made);
			return true;
		},
		/** Everything that decides what can happen next. */
		picture() {
			const { holdReason, isLocked, question: open } = operations.state();
			return JSON.stringify({
				operations: own().map(({ spec, stage, sentAt, acceptedAt, endedAt, failure }) => {
					const times = [sentAt, acceptedAt, endedAt].map(time => time !== undefined);
					return [spec.operation, spec.computer, stage, times, failure?.message];
				}),
				others: known().operations.size - own().length,
				computers: [...known().computers.values()].map(({ id, phase }) => [id, phase]),
				reasons: own().map(({ spec }) => waitReasons()(spec.key)?.type),
				state: [holdReason, isLocked, open?.operation, isOver],
				requests: requests.map(each => [each.name, each.phase, each.leftCount, each.refusedCount]),
				// A few milliseconds decide nothing.
				due: clock.due.map(ms => Math.round(ms / 100)),
			});
		},
	};
}
