import { advanceTo } from './advance.ts';
import type { Computer } from './computer.ts';
import { balanceAt, burnPerComputerMs, changeCredits } from './credits.ts';
import { enterState, scheduleStateEnd, sleepTimeOf } from './lifecycle.ts';
import { type OperationName, operate } from './operations.ts';
import { type PastState, sleepBefore, statesBefore } from './past-states.ts';
import { addComputer, addExistingComputer, addFleet, createComputerRandom } from './population.ts';
import type { Release } from './releases.ts';
import { createWorldState, type WorldOptions, type WorldState } from './world-state.ts';

// A world with a week behind it:
//
//   7 days ago    the first two dozen computers exist; a few of them fall asleep and wake up all the time
//   2 days ago    two more computers are created
//   26 hours ago  the owner stops pavo
//   24 hours ago  norma@example.com updates four computers at once
//   3 hours ago   the owner restarts atlas
//   52 min ago    draco fails
//   12 min ago    cygnus is asleep
//   9 min ago     the machine of unuk stops answering, so the platform reports no status of unuk until its restart
//   now           two creations are under way: one ends in 15 seconds, and the other one fails later

export type PastOperation = {
	at: number;
	/** When the computer was active or stopped again. */
	endedAt: number;
	operation: OperationName;
	computer: Pick<Computer, 'id' | 'name'>;
	/** The e-mail address of the person; undefined for the owner. */
	who: string | undefined;
	/** The number of the question, which several operations share. */
	batch: number;
};

/** The events of the week before the world was opened, oldest first. */
export type WorldPast = {
	since: number;
	/** All computers at the beginning of the week. */
	computersBefore: readonly Computer[];
	states: readonly PastState[];
	operations: readonly PastOperation[];
	balances: readonly { at: number; balance: number }[];
	releases: readonly Release[];
};

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const spanMs = 7 * 24 * hourMs;

/** The number of computers that have lived through the week. More of them would delay the start. */
const livingCount = 24;
const creationCount = 2;
/** The number of changes of all other computers. More of them would delay the start, and the log shows the newest. */
const maxOtherStates = 800;
const sleeperNumbers = [2, 7, 10, 19];
const updatedNumbers = [6, 9, 12, 18];
const outdatedNumbers = [2, 5, 16];
const unreachableNumber = 20;

type Happening = { at: number; run: (at: number) => void };

/** Creates a world that opens in the middle of its story, and returns what happened before. */
export function createLivedInWorld(
	options: WorldOptions,
	now: number,
): { state: WorldState; past: WorldPast } {
	const since = now - spanMs;
	const state = createWorldState(options, since, now);
	const settledCount = Math.max(0, options.computers - creationCount);
	const lateCount = settledCount >= livingCount - creationCount ? creationCount : 0;
	addLivingComputers(state, Math.min(livingCount, settledCount) - lateCount);
	const computersBefore = [...state.computers.values()].map(copyOf);
	const states: PastState[] = [];
	const operations: PastOperation[] = [];
	const balances: { at: number; balance: number }[] = [];
	state.onTransition = (computer, at) => states.push({ at, computer: copyOf(computer) });
	const happenings = [
		...plannedOperations(state, now, operations),
		...plannedMishaps(state, now),
		...pastCreations(state, now, lateCount),
		...balanceReads(state, now, balances),
	];
	for (const { at, run } of happenings.sort((a, b) => a.at - b.at)) {
		advanceTo(state, at);
		run(at);
	}
	advanceTo(state, now);
	delete state.onTransition;
	const living = new Set(state.computers.keys());
	addFleet(state, settledCount, state.createdCount);
	const others = [...state.computers.values()].filter(({ id }) => !living.has(id));
	const histories = others.map(each => statesBefore(state, each));
	const ofTheWeek = histories.flat().filter(({ at }) => at > since);
	const shown = new Set(ofTheWeek.sort((a, b) => a.at - b.at).slice(-maxOtherStates));
	for (const history of histories) {
		const before = history.findLast(each => !shown.has(each)) ?? sleepBefore(history[0], since);
		if (before) computersBefore.push(before.computer);
	}
	states.push(...shown);
	states.sort((a, b) => a.at - b.at);
	addSpendingOf(others, histories, shown, now, balances);
	addCreations(state, options.computers - settledCount, now);
	const { releases } = state;
	return { state, past: { since, computersBefore, states, operations, balances, releases } };
}

/**
 * Adds to each balance what the other computers have spent since then. They have existed all week, and spent while
 * they were active.
 */
function addSpendingOf(
	others: readonly Computer[],
	histories: readonly (readonly PastState[])[],
	shown: ReadonlySet<PastState>,
	now: number,
	balances: { at: number; balance: number }[],
): void {
	const isActive = (computer: Computer | undefined) => Number(computer?.state === 'active');
	const moves = histories.flatMap(history =>
		history.flatMap((each, place) => {
			const before = history[place - 1]?.computer;
			// Before the first state that is shown, the computer was asleep.
			const by = isActive(each.computer) - isActive(before);
			return shown.has(each) && by !== 0 ? [{ at: each.at, by }] : [];
		}),
	);
	moves.sort((a, b) => b.at - a.at);
	let count = others.reduce((sum, each) => sum + isActive(each), 0);
	let [until, spent, next] = [now, 0, 0];
	for (const sample of balances.toReversed()) {
		for (let move = moves[next]; move && move.at > sample.at; move = moves[next]) {
			spent += burnPerComputerMs * count * (until - move.at);
			count -= move.by;
			until = move.at;
			next += 1;
		}
		spent += burnPerComputerMs * count * (until - sample.at);
		until = sample.at;
		sample.balance = roundedCredits(sample.balance + spent);
	}
}

const roundedCredits = (credits: number) => Math.round(credits * 100) / 100;

const copyOf = (computer: Computer): Computer => ({ ...computer });

function addLivingComputers(state: WorldState, count: number): void {
	for (let number = 0; number < count; number += 1) {
		const computer = addExistingComputer(state, 'active', createComputerRandom(state, number));
		computer.isAlwaysInUse = !sleeperNumbers.includes(number);
		const isBehind = outdatedNumbers.includes(number) || updatedNumbers.includes(number);
		const version = state.releases.at(isBehind ? -4 : -1)?.version ?? null;
		Object.assign(computer, { version });
		scheduleStateEnd(state, computer, sleepTimeOf(state, computer));
	}
}

const computerAt = ({ computers }: WorldState, number: number): Computer | undefined =>
	[...computers.values()][number];

function plannedOperations(
	state: WorldState,
	now: number,
	operations: PastOperation[],
): readonly Happening[] {
	const happening = (
		ago: number,
		operation: OperationName,
		numbers: readonly number[],
		who?: string,
	): Happening => ({
		at: now - ago,
		run(at) {
			const batch = operations.length;
			for (const number of numbers) {
				const computer = computerAt(state, number);
				if (!computer || !('done' in operate(state, operation, computer))) continue;
				const { id, name, stateEndsAt: endedAt } = computer;
				operations.push({ at, endedAt, operation, computer: { id, name }, who, batch });
			}
		},
	});
	return [
		happening(26 * hourMs, 'stop', [15]),
		happening(24 * hourMs, 'update', updatedNumbers, 'norma@example.com'),
		happening(5 * hourMs, 'restart', [12]),
		happening(3 * hourMs, 'restart', [0]),
	];
}

function plannedMishaps(state: WorldState, now: number): readonly Happening[] {
	const force = (number: number, change: (computer: Computer, at: number) => void) => {
		return (at: number) => {
			const computer = computerAt(state, number);
			if (computer?.state === 'active') change(computer, at);
		};
	};
	const fail = force(3, (computer, at) => {
		const error = 'image pull failed: disk quota exceeded';
		enterState(state, computer, 'error', at, { error, startedAt: null, ports: [] });
	});
	const sleep = force(2, (computer, at) =>
		enterState(state, computer, 'stopping', at, { stoppedBy: 'idleness' }),
	);
	const loseMachine = force(unreachableNumber, (computer, at) => {
		computer.unreachableSince = at;
	});
	return [
		{ at: now - 52 * minuteMs, run: fail },
		{ at: now - 12 * minuteMs, run: sleep },
		{ at: now - 9 * minuteMs, run: loseMachine },
	];
}

/** Creates the computers that complete the fleet, so that the usual time of a creation is known. */
function pastCreations(state: WorldState, now: number, count: number): readonly Happening[] {
	return Array.from({ length: count }, (_, place) => ({
		at: now - (48 + place) * hourMs,
		run(at: number) {
			const computer = addComputer(state, at);
			computer.isAlwaysInUse = true;
			const provisioning = { startedAt: at, durationMs: 51_000 + place * 4_000 };
			enterState(state, computer, 'provisioning', at, { provisioning });
		},
	}));
}

// The credits last for more than a day when the demo opens.
const lastPaymentAgoMs = 6 * hourMs;

/** Reads the balance every half hour, and pays for more credits when few are left. */
function balanceReads(
	state: WorldState,
	now: number,
	balances: { at: number; balance: number }[],
): readonly Happening[] {
	const usual = balanceAt(state.creditAccount, state.now).total;
	const run = (at: number) => {
		const { total, extra } = balanceAt(state.creditAccount, at);
		balances.push({ at, balance: roundedCredits(total) });
		const isLastPayment =
			at >= now - lastPaymentAgoMs && at < now - lastPaymentAgoMs + 30 * minuteMs;
		if (total < usual / 3 || isLastPayment)
			changeCredits(state.creditAccount, at, { extra: extra + usual });
	};
	const happenings: Happening[] = [];
	const intervalAt = (at: number) => (now - at > 3 * hourMs ? 30 : 5) * minuteMs;
	for (let at = state.now; at < now; at += intervalAt(at)) happenings.push({ at, run });
	return happenings;
}

/** Adds creations that are under way: one ends in 15 seconds, the others fail. */
function addCreations(state: WorldState, count: number, now: number): void {
	for (let place = 0; place < count; place += 1) {
		const [ageMs, durationMs] = place === 0 ? [40_000, 55_000] : [9_000, 64_000];
		const computer = addComputer(state, now - ageMs);
		const startedAt = now - ageMs;
		const failure = { atFraction: 0.7, message: 'no capacity left in the chosen location' };
		const provisioning = { startedAt, durationMs, ...(place > 0 && { failure }) };
		enterState(state, computer, 'provisioning', startedAt, { provisioning });
	}
}
