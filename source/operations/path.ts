import type { OperationId, Wish } from '../fleet/fact.ts';
import { createListeners } from '../fleet/listeners.ts';
import { type Answered, type Asked, type Pressed, refused } from './asked.ts';
import { createBatches, type Progress } from './batches.ts';
import { createCountdowns } from './countdowns.ts';
import { createDesk } from './desk.ts';
import { sendingTime } from './estimate.ts';
import type { Held } from './held.ts';
import { type Leaving, leavingFrom } from './leaving.ts';
import { createLock } from './lock.ts';
import { createMint } from './mint.ts';
import { operations } from './operations.ts';
import type { OperationsParts } from './parts.ts';
import { createPermission } from './permission.ts';
import { createPortChecks, type PortCheck } from './port-check.ts';
import { detailsOf, type Question, type QuestionInput } from './question.ts';
import type { Details } from './rule.ts';
import { createSeenBudgets } from './seen-budgets.ts';
import { createTeller } from './teller.ts';
import type { Waiting } from './waiting.ts';
import { createWalk } from './walk.ts';
import { wishesFrom } from './wishes.ts';

/** What a person has asked for, beside the facts: what views draw from. */
export type Picture = {
	question: Question | undefined;
	isLocked: boolean;
	/** Nothing may be changed, for good. */
	isReadOnly: boolean;
	batches: readonly Progress[];
	checks: readonly PortCheck[];
};

/** The one way of everything that changes something. */
export type Operations = {
	/** Captures what it is about. A question that was open is gone. */
	ask(
		operation: OperationId,
		ids: readonly string[],
		more?: Details & { askedWith?: string },
	): Asked;
	/** A key, or a paste, for the open question. */
	press(input: QuestionInput): Pressed;
	/** The open question came into sight. */
	shown(): void;
	/** For an answer that did not come by keys. Only the question that `ask` gave last is taken. */
	answer(question: Question): Answered;
	/** Drops what has not gone: one, a batch, or everything. What has gone stays. */
	cancel(what: { key: string } | { batch: string } | 'all'): readonly Wish[];
	/** Asks about those of a batch that failed, and no others. */
	retryFailed(batch: string, askedWith?: string): Asked;
	/** The result of a batch was read. */
	forget(batch: string): void;
	/** How an operation ended was seen. */
	see(key: string): void;
	/** Visits a published port, unless nothing may be changed: a visit wakes a computer. */
	checkPort(id: string, port: number): void;
	/** Why that operation has not been sent; undefined when it has. */
	waitingFor(key: string): Waiting | undefined;
	/** The same for as many as are asked about at once: a picture, or a list of them. */
	waiting(now?: number): (key: string) => Waiting | undefined;
	/** About how long until the last of a batch is sent. */
	timeLeft(batch: string, now?: number): number;
	/** Why countdowns are out of sight; undefined when they are seen, each from its full time. */
	hold(why: Held | undefined): void;
	/** A key was pressed. */
	touch(): void;
	lock(): void;
	unlock(): void;
	/** What goes on without us, and what would be dropped. */
	leaving(): Leaving;
	/** Drops all that has not gone; nothing is sent after that. */
	quit(): void;
	picture(): Picture;
	subscribe(listener: () => void): () => void;
};

/** Joins the parts of one account's operations: asking, the walk of each, the lock, the results. */
export function createOperations(parts: OperationsParts): Operations {
	const { account, store, platform, pace, clock, random, isReadOnly, graces, watch } = parts;
	const closing = new AbortController();
	const mint = createMint(clock, random);
	const teller = createTeller(account, store, clock);
	const countdowns = createCountdowns(clock);
	const batches = createBatches();
	const listeners = createListeners();
	let isLocked = false;
	let held: Held | undefined;
	let picture: Picture | undefined;

	const checks = createPortChecks({ platform, clock, signal: closing.signal, onChange: changed });
	const lock = createLock({
		clock,
		lockAfter: parts.lockAfter,
		onChange() {
			isLocked = lock.isLocked();
			if (isLocked) desk.clear();
			else walk.resume();
			changed();
		},
	});
	const { signal } = closing;
	const seenBudgets = createSeenBudgets({
		pace,
		clock,
		isWaiting: () => walk.unsent().length > 0,
	});
	const { mayChange, barred } = createPermission({
		signal,
		isReadOnly,
		isLocked: lock.isLocked,
		isQueueHeld: () => held === 'quit',
	});
	const walk = createWalk({
		account,
		store,
		teller,
		platform,
		pace,
		clock,
		countdowns,
		watch,
		mayChange,
		budgets: seenBudgets.now,
		onSent: lock.touch,
		onMoved(wish, state, message) {
			batches.note(wish, state, message);
			changed();
		},
		onSettled({ operation, computer, port }) {
			if (operation !== 'publish' || computer === undefined || port === undefined) return;
			void checks.check(computer, port);
		},
	});
	const desk = createDesk({
		teller,
		pace,
		clock,
		mint,
		confirm: parts.confirm ?? {},
		commandOptions: parts.commandOptions ?? [],
		untold: walk.untold,
		barred,
		begin,
		onChange: changed,
	});

	function changed() {
		picture = undefined;
		seenBudgets.wake();
		listeners.notify();
	}

	function begin(question: Question): Answered {
		const { operation, skipped } = question;
		const wishes = wishesFrom(question, mint);
		const details = detailsOf(question);
		const batch = wishes[0]?.batch;
		if (batch !== undefined) batches.begin({ id: batch, wishes, details, skipped });
		walk.begin(wishes, details, graces?.[operation] ?? operations[operation].grace);
		changed();
		return { type: 'begun', wishes };
	}

	const waiting = (now = clock.now()) =>
		walk.waiting({ isLocked, isQueueHeld: held === 'quit', now });

	function leaving(): Leaving {
		return leavingFrom([...teller.known().operations.values()], walk.unsent());
	}

	return {
		ask: desk.ask,
		press: desk.press,
		shown: desk.shown,
		answer: desk.answer,
		cancel: what =>
			walk.cancel(wish => {
				if (what === 'all') return true;
				return 'key' in what ? wish.key === what.key : wish.batch === what.batch;
			}),
		retryFailed(batch, askedWith) {
			const progress = batches.find(batch);
			if (!progress) return refused('not-allowed', 'there is nothing to try again');
			const { operation, failures, details } = progress;
			const more = { ...details, ...(askedWith !== undefined && { askedWith }) };
			return desk.ask(
				operation,
				failures.map(({ id }) => id),
				more,
			);
		},
		forget(batch) {
			batches.forget(batch);
			changed();
		},
		see: key => teller.tell({ type: 'operationSeen', key }),
		checkPort(id, port) {
			if (mayChange() === 'go') void checks.check(id, port);
		},
		waitingFor: key => waiting()(key),
		waiting,
		timeLeft(batch, now = clock.now()) {
			const progress = batches.find(batch);
			if (!progress) return 0;
			const { scope } = operations[progress.operation];
			return sendingTime(progress.counts.waiting, scope, seenBudgets.now()[scope], now);
		},
		hold(why) {
			if (why === held) return;
			held = why;
			if (why === undefined) countdowns.release();
			else countdowns.hold();
			walk.resume();
			changed();
		},
		touch: lock.touch,
		lock: lock.lock,
		unlock: lock.unlock,
		leaving,
		quit() {
			closing.abort();
			desk.clear();
			walk.cancel(() => true);
			walk.close();
			countdowns.close();
			lock.close();
			seenBudgets.close();
		},
		picture() {
			const question = desk.question();
			picture ??= {
				question,
				isLocked,
				isReadOnly: isReadOnly(),
				batches: batches.all(),
				checks: checks.all(),
			};
			return picture;
		},
		subscribe: listeners.subscribe,
	};
}
