import type { SimulatorClock } from './clock.ts';
import type { Computer, State } from './computer.ts';
import { type Balance, balanceAt, creditChange } from './credits.ts';
import { become, canRun, stopAllThatBurns } from './lifecycle.ts';
import { createPayments, type PaymentSession } from './payments.ts';
import type { Plan, PlanTerms } from './plans.ts';
import { addComputer, populate, provision, publishedPort } from './population.ts';
import { latestOf, nextVersion, type Release } from './releases.ts';
import { create, erase, type Operation, type Outcome, operate } from './requests.ts';
import { release, settle } from './settle.ts';
import { createWorldState, type WorldOptions } from './world-state.ts';

/** A computer as a test wants it. */
export type Newcomer = {
	name?: string;
	state?: State;
	version?: string;
	error?: string;
	ports?: readonly number[];
	createdAt?: number;
};

/** What is there now. Every call brings it up to the clock first. */
export type World = {
	now(): number;
	readonly seed: number;
	readonly plan: Plan;
	readonly terms: PlanTerms;
	/** In the order in which they were made. */
	computers(): readonly Computer[];
	archived(): readonly Computer[];
	find(id: string): Computer | undefined;
	balance(): Balance;
	canRun(): boolean;
	hasPaymentMethod(): boolean;
	releases(): readonly Release[];

	// What the platform is asked for.
	create(name?: string): Outcome;
	operate(
		operation: Operation,
		computer: Computer,
		details?: { version?: string; port?: number },
	): Outcome;
	/** Somebody opens a public page: a sleeping computer wakes up. */
	visit(computer: Computer): void;
	openPayment(credits: number): PaymentSession;
	pay(id: string): PaymentSession | undefined;

	// What tests do behind its back. A computer that is not there throws.
	named(idOrName: string): Computer;
	add(newcomer?: Newcomer): Computer;
	remove(idOrName: string): void;
	wake(idOrName: string): void;
	sleep(idOrName: string): void;
	fail(idOrName: string, message?: string): void;
	release(version?: string): Release;
	setCredits(credits: number): void;
	setPaymentMethod(hasOne: boolean): void;
};

export function createWorld(options: WorldOptions, clock: SimulatorClock): World {
	const state = createWorldState(options, clock.now());
	const payments = createPayments();
	populate(state, options.computers);

	const settled = () => {
		settle(state, clock.now());
		return state;
	};
	const named = (idOrName: string) => {
		const all = settled().computers;
		const computer = all.get(idOrName) ?? [...all.values()].find(({ name }) => name === idOrName);
		if (!computer) throw new Error(`There is no computer ${idOrName}.`);
		return computer;
	};
	const put = (idOrName: string, next: State, change: Partial<Computer> = {}) =>
		become(state, named(idOrName), next, state.now, change);

	return {
		now: () => settled().now,
		seed: state.seed,
		plan: state.plan,
		terms: state.terms,
		computers: () => [...settled().computers.values()],
		archived: () => settled().archived,
		find: id => settled().computers.get(id),
		balance: () => balanceAt(settled().account, state.now),
		canRun: () => canRun(settled(), state.now),
		hasPaymentMethod: () => settled().hasPaymentMethod,
		releases: () => settled().releases,

		create: name => create(settled(), name),
		operate: (operation, computer, details) => operate(settled(), operation, computer, details),
		visit(computer) {
			const { now } = settled();
			if (computer.state === 'active') computer.busyUntil = Math.max(computer.busyUntil, now);
			const isAsleep = computer.state === 'stopped' && computer.stoppedBy === 'idleness';
			if (isAsleep && canRun(state, now)) become(state, computer, 'starting', now, awake);
		},
		openPayment: credits => payments.open(settled(), credits),
		pay: id => payments.pay(settled(), id),

		named,
		add({ name, state: wanted = 'active', version, error, ports = [], createdAt } = {}) {
			const { now } = settled();
			const computer = addComputer(state, createdAt ?? now, name);
			if (wanted === 'provisioning') {
				provision(state, computer, now);
				return computer;
			}
			become(state, computer, wanted, now, {
				startedAt: wanted === 'stopped' || wanted === 'error' ? null : now,
				version: version ?? latestOf(state.releases).version,
				ports: ports.map(port => publishedPort(state, computer.number, port)),
				error: wanted === 'error' ? (error ?? 'It broke') : null,
				stoppedBy: wanted === 'stopped' || wanted === 'stopping' ? 'owner' : null,
			});
			return computer;
		},
		remove: idOrName => erase(state, named(idOrName)),
		wake: idOrName => put(idOrName, 'starting', awake),
		sleep: idOrName => put(idOrName, 'stopping', { stoppedBy: 'idleness' }),
		fail: (idOrName, error = 'It broke') =>
			put(idOrName, 'error', { error, target: null, startedAt: null }),
		release(version) {
			const { now, seed, releases } = settled();
			release(state, now, version ?? nextVersion(seed, releases));
			return latestOf(releases);
		},
		setCredits(credits) {
			const { account, now } = settled();
			creditChange(account, now, { daily: 0, monthly: 0, extra: credits });
			if (credits <= 0) stopAllThatBurns(state, now);
		},
		setPaymentMethod(hasOne) {
			settled().hasPaymentMethod = hasOne;
		},
	};
}

const awake = { stoppedBy: null, error: null };
