import type { Clock } from '../fleet/clock.ts';
import type { Fact, ReadName } from '../fleet/fact.ts';
import type { Pace } from '../pace/pace.ts';
import { nextTellingOf } from './cadence.ts';
import { createFlights } from './flights.ts';
import { createMemory } from './memory.ts';
import type { Outlook, Purses, Read, View } from './outlook.ts';
import { plan } from './plan.ts';
import { createPurses } from './purse.ts';
import type { Source } from './reads.ts';
import type { Subjects } from './subjects.ts';

export type Watch = {
	start(): void;
	/** Calls off every request; nothing is told after that. */
	stop(): void;
	setView(view: View): void;
	/** As soon as the budget allows it: this one thing, or everything that a person may look at. */
	readNow(read?: { name: ReadName; id?: string }): void;
	/** What the planner looks at has changed: an operation was sent, or has settled. */
	wake(): void;
	/** The credentials are new: what failed is tried again at once. */
	renew(): void;
};

type Parts = {
	account: string;
	platform: Source;
	pace: Pick<Pace, 'budgets'>;
	clock: Clock;
	/** From 0 to 1. */
	random: () => number;
	/** Whom to ask about; see `createSubjects`. */
	subjects: () => Subjects;
	onFact: (fact: Fact) => void;
	view: View;
};

// However little is due, the loop turns so often: a clock that jumped meanwhile has been asleep.
const heartbeat = 5_000;

// What is due waits for something else, such as a list of many pages for a budget: look again then.
const breath = 250;

/** The reads that tell of computers. */
const telling: ReadonlySet<ReadName> = new Set(['list', 'status', 'detail']);

/** The loop: plans, asks, remembers, and plans again when something is due or has happened. */
export function createWatch(parts: Parts): Watch {
	const { account, platform, pace, clock, random, subjects, onFact } = parts;
	const memory = createMemory(random);
	const purses = createPurses();
	let isOn = false;
	let callOffTurn = () => {};
	let turnedAt = 0;
	let nextAt = 0;
	/** The budgets as the last turn found them. */
	let spent: Purses | undefined;

	const flights = createFlights({
		platform,
		clock,
		memory,
		onLanded(happening, askedAt, name) {
			const at = clock.now();
			const every =
				spent && telling.has(name) ? nextTellingOf(name, memory.outlook, spent, at) : undefined;
			onFact({ account, at, askedAt, ...(every !== undefined && { every }), ...happening });
			wake();
		},
	});

	function turn() {
		const now = clock.now();
		const hasJumped = now < turnedAt - heartbeat || now > nextAt + heartbeat;
		if (hasJumped) begin(now);
		turnedAt = now;
		memory.meet(subjects());
		spent = purses(pace.budgets(), now);
		const { reads, next } = plan(memory.outlook, spent, now);
		for (const read of reads) flights.launch(read);
		turnAt(Math.min(Math.max(next, now + breath), now + heartbeat));
	}

	function turnAt(time: number) {
		callOffTurn();
		nextAt = time;
		callOffTurn = clock.after(time - clock.now(), turn);
	}

	/** Anew: what is under way will hardly be answered after a sleep. */
	function begin(now: number) {
		flights.callOff();
		memory.refresh(now);
	}

	function wake() {
		if (isOn && nextAt > clock.now()) turnAt(clock.now());
	}

	memory.look(parts.view);

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
			flights.callOff();
		},
		setView(view) {
			memory.look(view);
			wake();
		},
		readNow(read) {
			memory.want(read ? [read] : everything(memory.outlook));
			wake();
		},
		wake,
		renew() {
			memory.refresh(clock.now());
			wake();
		},
	};
}

function everything({ visible, detail, listTells }: Outlook): readonly Read[] {
	const ids = listTells === false ? visible : [];
	return [
		{ name: 'list' },
		...(detail === undefined ? [] : [{ name: 'detail', id: detail } as const]),
		...[...ids].map(id => ({ name: 'status', id, stream: 'attended' }) as const),
		{ name: 'credits' },
		{ name: 'subscription' },
		{ name: 'release' },
	];
}
