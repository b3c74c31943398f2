import { advanceTo, publishRelease } from './advance.ts';
import type { SimulatorClock } from './clock.ts';
import type { Computer, State } from './computer.ts';
import {
	type Balance,
	balanceAt,
	changeCredits,
	createPayments,
	type PaymentSession,
} from './credits.ts';
import { canRun, enterState, stopAllBurning } from './lifecycle.ts';
import { create, erase, type Operation, type Outcome, operate } from './operations.ts';
import type { Plan, PlanTerms } from './plans.ts';
import { addComputer, populate, provision, publishedPort } from './population.ts';
import { latestOf, nextVersion, type Release } from './releases.ts';
import { createWorldState, type WorldOptions } from './world-state.ts';

/** The properties of a computer that a test adds. */
export type ComputerOptions = {
	name?: string;
	state?: State;
	version?: string;
	error?: string;
	ports?: readonly number[];
	createdAt?: number;
};

/** The simulated world. Every call first advances the world to the time of the clock. */
export type World = {
	now(): number;
	readonly seed: number;
	readonly plan: Plan;
	readonly terms: PlanTerms;
	/** The computers in the order of their creation. */
	computers(): readonly Computer[];
	archived(): readonly Computer[];
	find(id: string): Computer | undefined;
	balance(): Balance;
	canRun(): boolean;
	hasPaymentMethod(): boolean;
	releases(): readonly Release[];

	// Methods for requests to the platform.
	create(name?: string): Outcome;
	operate(
		operation: Operation,
		computer: Computer,
		details?: { version?: string; port?: number },
	): Outcome;
	/** A visit to a public page wakes a sleeping computer. */
	visit(computer: Computer): void;
	openPayment(credits: number): PaymentSession;
	pay(id: string): PaymentSession | undefined;

	// Changes that tests make. They throw if the computer does not exist.
	get(idOrName: string): Computer;
	add(newcomer?: ComputerOptions): Computer;
	remove(idOrName: string): void;
	wake(idOrName: string): void;
	sleep(idOrName: string): void;
	fail(idOrName: string, message?: string): void;
	release(version?: string): Release;
	setCredits(credits: number): void;
	setPaymentMethod(hasOne: boolean): void;
};

/** The function is long because it lists every change that can be made to the world. */
export function createWorld(options: WorldOptions, clock: SimulatorClock): World {
	const state = createWorldState(options, clock.now());
	const payments = createPayments();
	populate(state, options.computers);

	const current = () => {
		advanceTo(state, clock.now());
		return state;
	};
	const named = (idOrName: string) => {
		const all = current().computers;
		const computer = all.get(idOrName) ?? [...all.values()].find(({ name }) => name === idOrName);
		if (!computer) throw new Error(`There is no computer ${idOrName}.`);
		return computer;
	};
	const force = (idOrName: string, next: State, change: Partial<Computer> = {}) =>
		enterState(state, named(idOrName), next, state.now, change);

	return {
		now: () => current().now,
		seed: state.seed,
		plan: state.plan,
		terms: state.terms,
		computers: () => [...current().computers.values()],
		archived: () => current().archived,
		find: id => current().computers.get(id),
		balance: () => balanceAt(current().account, state.now),
		canRun: () => canRun(current(), state.now),
		hasPaymentMethod: () => current().hasPaymentMethod,
		releases: () => current().releases,

		create: name => create(current(), name),
		operate: (operation, computer, details) => operate(current(), operation, computer, details),
		visit(computer) {
			const { now } = current();
			if (computer.state === 'active') computer.busyUntil = Math.max(computer.busyUntil, now);
			const isAsleep = computer.state === 'stopped' && computer.stoppedBy === 'idleness';
			if (isAsleep && canRun(state, now)) enterState(state, computer, 'starting', now, awake);
		},
		openPayment: credits => payments.open(current(), credits),
		pay: id => payments.pay(current(), id),

		get: named,
		add({ name, state: wanted = 'active', version, error, ports = [], createdAt } = {}) {
			const { now } = current();
			const computer = addComputer(state, createdAt ?? now, name);
			if (wanted === 'provisioning') {
				provision(state, computer, now);
				return computer;
			}
			enterState(state, computer, wanted, now, {
				startedAt: wanted === 'stopped' || wanted === 'error' ? null : now,
				version: version ?? latestOf(state.releases).version,
				ports: ports.map(port => publishedPort(state, computer.number, port)),
				error: wanted === 'error' ? (error ?? 'It broke') : null,
				stoppedBy: wanted === 'stopped' || wanted === 'stopping' ? 'owner' : null,
			});
			return computer;
		},
		remove: idOrName => erase(state, named(idOrName)),
		wake: idOrName => force(idOrName, 'starting', awake),
		sleep: idOrName => force(idOrName, 'stopping', { stoppedBy: 'idleness' }),
		fail: (idOrName, error = 'It broke') =>
			force(idOrName, 'error', { error, targetVersion: null, startedAt: null }),
		release(version) {
			const { now, seed, releases } = current();
			publishRelease(state, now, version ?? nextVersion(seed, releases));
			return latestOf(releases);
		},
		setCredits(credits) {
			const { account, now } = current();
			changeCredits(account, now, { daily: 0, monthly: 0, extra: credits });
			if (credits <= 0) stopAllBurning(state, now);
		},
		setPaymentMethod(hasOne) {
			current().hasPaymentMethod = hasOne;
		},
	};
}

const awake = { stoppedBy: null, error: null };
