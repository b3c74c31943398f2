import { advanceTo, publishRelease } from './advance.ts';
import type { SimulatorClock } from './clock.ts';
import type { Computer, LifecycleState } from './computer.ts';
import {
	type Balance,
	balanceAt,
	changeCredits,
	createPayments,
	type PaymentSession,
} from './credits.ts';
import { canRun, enterState, stopComputersThatCost } from './lifecycle.ts';
import {
	createComputer,
	deleteComputer,
	type OperationName,
	type OperationResult,
	operate,
} from './operations.ts';
import type { Plan, PlanTerms } from './plans.ts';
import { addComputer, addFleet, createPublishedPort, startProvisioning } from './population.ts';
import { latestOf, nextVersion, type Release } from './releases.ts';
import { createLivedInWorld, type WorldPast } from './story.ts';
import { createWorldState, type WorldOptions, type WorldState } from './world-state.ts';

/** The properties that a test chooses for a computer that it adds. */
type ComputerOptions = {
	name?: string;
	state?: LifecycleState;
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
	deletedComputers(): readonly Computer[];
	find(id: string): Computer | undefined;
	balance(): Balance;
	canRun(): boolean;
	hasPaymentMethod(): boolean;
	releases(): readonly Release[];
	/** The events of the week before the world was opened; undefined for a new world. */
	past(): WorldPast | undefined;

	// The endpoints call this method and the following ones.
	create(name?: string): OperationResult;
	operate(
		operation: OperationName,
		computer: Computer,
		details?: { version?: string; port?: number },
	): OperationResult;
	/** Opens a published page of a computer, which wakes the computer if it sleeps. */
	visit(computer: Computer): void;
	openPayment(credits: number): PaymentSession;
	pay(id: string): PaymentSession | undefined;

	// Tests change the world with this method and the following ones. They throw if the computer does not exist.
	get(idOrName: string): Computer;
	add(newcomer?: ComputerOptions): Computer;
	remove(idOrName: string): void;
	wake(idOrName: string): void;
	sleep(idOrName: string): void;
	fail(idOrName: string, message?: string): void;
	publishRelease(version?: string): Release;
	setCredits(credits: number): void;
	setPaymentMethod(isPresent: boolean): void;
};

/** Creates the world. */
export function createWorld(options: WorldOptions, clock: SimulatorClock): World {
	const { state, past } = options.isLivedIn
		? createLivedInWorld(options, clock.now())
		: { state: createNewWorld(options, clock.now()), past: undefined };
	const payments = createPayments();

	const advancedState = () => {
		advanceTo(state, clock.now());
		return state;
	};
	const requireComputer = (idOrName: string) => {
		const computers = advancedState().computers;
		const computer =
			computers.get(idOrName) ?? [...computers.values()].find(({ name }) => name === idOrName);
		if (!computer) throw new Error(`There is no computer ${idOrName}.`);
		return computer;
	};
	const forceState = (idOrName: string, next: LifecycleState, change: Partial<Computer> = {}) =>
		enterState(state, requireComputer(idOrName), next, state.now, change);

	return {
		now: () => advancedState().now,
		seed: state.seed,
		plan: state.plan,
		terms: state.terms,
		computers: () => [...advancedState().computers.values()],
		deletedComputers: () => advancedState().deletedComputers,
		find: id => advancedState().computers.get(id),
		balance: () => balanceAt(advancedState().creditAccount, state.now),
		canRun: () => canRun(advancedState(), state.now),
		hasPaymentMethod: () => advancedState().hasPaymentMethod,
		releases: () => advancedState().releases,
		past: () => past,

		create: name => createComputer(advancedState(), name),
		operate: (operation, computer, details) =>
			operate(advancedState(), operation, computer, details),
		visit(computer) {
			const { now } = advancedState();
			if (computer.state === 'active') computer.inUseUntil = Math.max(computer.inUseUntil, now);
			const isAsleep = computer.state === 'stopped' && computer.stoppedBy === 'idleness';
			if (isAsleep && canRun(state, now)) enterState(state, computer, 'starting', now, wakeChanges);
		},
		openPayment: credits => payments.openSession(advancedState(), credits),
		pay: id => payments.pay(advancedState(), id),

		get: requireComputer,
		add({ name, state: initialState = 'active', version, error, ports = [], createdAt } = {}) {
			const { now } = advancedState();
			const computer = addComputer(state, createdAt ?? now, name);
			if (initialState === 'provisioning') {
				startProvisioning(state, computer, now);
				return computer;
			}
			enterState(state, computer, initialState, now, {
				startedAt: initialState === 'stopped' || initialState === 'error' ? null : now,
				version: version ?? latestOf(state.releases).version,
				ports: ports.map(port => createPublishedPort(state, computer.number, port)),
				error: initialState === 'error' ? (error ?? 'The computer broke down') : null,
				stoppedBy: initialState === 'stopped' || initialState === 'stopping' ? 'owner' : null,
			});
			return computer;
		},
		remove: idOrName => deleteComputer(state, requireComputer(idOrName)),
		wake: idOrName => forceState(idOrName, 'starting', wakeChanges),
		sleep: idOrName => forceState(idOrName, 'stopping', { stoppedBy: 'idleness' }),
		fail: (idOrName, error = 'The computer broke down') =>
			forceState(idOrName, 'error', { error, targetVersion: null, startedAt: null }),
		publishRelease(version) {
			const { now, seed, releases } = advancedState();
			publishRelease(state, now, version ?? nextVersion(seed, releases));
			return latestOf(releases);
		},
		setCredits(credits) {
			const { creditAccount, now } = advancedState();
			changeCredits(creditAccount, now, { daily: 0, monthly: 0, extra: credits });
			if (credits <= 0) stopComputersThatCost(state, now);
		},
		setPaymentMethod(hasOne) {
			advancedState().hasPaymentMethod = hasOne;
		},
	};
}

const wakeChanges = { stoppedBy: null, error: null };

function createNewWorld(options: WorldOptions, now: number): WorldState {
	const state = createWorldState(options, now);
	addFleet(state, options.computers);
	return state;
}
