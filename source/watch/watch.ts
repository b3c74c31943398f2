import type { Clock } from '../fleet/clock.ts';
import type { Fact, ReadName } from '../fleet/fact.ts';
import type { Pace } from '../pace/pace.ts';
import { createInFlight } from './in-flight.ts';
import { nextReadInterval } from './intervals.ts';
import { plan } from './plan.ts';
import type { Attention, PlannerInput, Read, ReadBudgets } from './planner-input.ts';
import type { PollableFleet } from './pollable-fleet.ts';
import { createReadBudgets } from './read-budget.ts';
import type { ReadApi } from './reads.ts';
import { createRequestHistory } from './request-history.ts';

export type Watch = {
	start(): void;
	/** Calls off every request; nothing is told after that. */
	stop(): void;
	setAttention(view: Attention): void;
	/** As soon as the budget allows it: this one thing, or everything that a person may look at. */
	readNow(read?: { name: ReadName; id?: string }): void;
	/** What the planner looks at has changed: an operation was sent, or has settled. */
	wake(): void;
	/** The credentials are new: what failed is tried again at once. */
	signedInAgain(): void;
};

type Parts = {
	account: string;
	platform: ReadApi;
	pace: Pick<Pace, 'budgets'>;
	clock: Clock;
	/** From 0 to 1. */
	random: () => number;
	/** Whom to ask about; see `createSubjects`. */
	subjects: () => PollableFleet;
	onFact: (fact: Fact) => void;
	view: Attention;
};

// However little is due, the loop turns so often: a clock that jumped meanwhile has been asleep.
const heartbeat = 5_000;

// What is due waits for something else, such as a list of many pages for a budget: look again then.
const replanDelay = 250;

/** The reads that tell of computers. */
const fleetReads: ReadonlySet<ReadName> = new Set(['list', 'status', 'detail']);

/** The loop: plans, asks, remembers, and plans again when something is due or has happened. */
export function createWatch(parts: Parts): Watch {
	const { account, platform, pace, clock, random, subjects, onFact } = parts;
	const memory = createRequestHistory(random);
	const purses = createReadBudgets();
	let isOn = false;
	let callOffTurn = () => {};
	let turnedAt = 0;
	let nextAt = 0;
	/** The budgets as the last turn found them. */
	let spent: ReadBudgets | undefined;

	const flights = createInFlight({
		platform,
		clock,
		memory,
		onLanded(happening, askedAt, name) {
			const at = clock.now();
			const every =
				spent && fleetReads.has(name) ? nextReadInterval(name, memory.input, spent, at) : undefined;
			onFact({ account, at, askedAt, ...(every !== undefined && { every }), ...happening });
			wake();
		},
	});

	function turn() {
		const now = clock.now();
		const hasJumped = now < turnedAt - heartbeat || now > nextAt + heartbeat;
		if (hasJumped) begin(now);
		turnedAt = now;
		memory.setFleet(subjects());
		spent = purses(pace.budgets(), now);
		const { reads, next } = plan(memory.input, spent, now);
		for (const read of reads) flights.send(read);
		turnAt(Math.min(Math.max(next, now + replanDelay), now + heartbeat));
	}

	function turnAt(time: number) {
		callOffTurn();
		nextAt = time;
		callOffTurn = clock.after(time - clock.now(), turn);
	}

	/** Anew: what is under way will hardly be answered after a sleep. */
	function begin(now: number) {
		flights.cancelAll();
		memory.refresh(now);
	}

	function wake() {
		if (isOn && nextAt > clock.now()) turnAt(clock.now());
	}

	memory.setAttention(parts.view);

	return {
		start() {
			isOn = true;
			turnedAt = clock.now();
			memory.refresh(turnedAt);
			turnAt(turnedAt);
		},
		stop() {
			isOn = false;
			callOffTurn();
			flights.cancelAll();
		},
		setAttention(view) {
			memory.setAttention(view);
			wake();
		},
		readNow(read) {
			memory.request(read ? [read] : everything(memory.input));
			wake();
		},
		wake,
		signedInAgain() {
			memory.refresh(clock.now());
			wake();
		},
	};
}

function everything({ visible, detail, listHasStatus }: PlannerInput): readonly Read[] {
	const ids = listHasStatus === false ? visible : [];
	return [
		{ name: 'list' },
		...(detail === undefined ? [] : [{ name: 'detail', id: detail } as const]),
		...[...ids].map(id => ({ name: 'status', id, stream: 'attended' }) as const),
		{ name: 'credits' },
		{ name: 'subscription' },
		{ name: 'release' },
	];
}
