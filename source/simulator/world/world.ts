import type { BuiltInOperationId } from '../../fleet/operations/operation-table.ts';
import { minuteMs } from '../../foundation/duration.ts';
import { pickItem, randomCode, randomFraction, randomPurposes, valueWithin } from './random.ts';
import { createRelease, latestOf, nextVersion, type Release, releasesBefore } from './releases.ts';
import {
	type Computer,
	type LifecycleState,
	type Provisioning,
	publishedPort,
	starName,
} from './simulated-computer.ts';

//   (none) → provisioning → active → stopping → stopped → starting → active
//                   ↓          ↓ ↑                           (asleep: a visitor wakes it)
//                 error → restarting, updating

export const plans = {
	free: { title: 'Free', idleMinutes: 15, daily: 1, monthly: 5, server: 'small-1c2g' },
	pro: { title: 'Pro', idleMinutes: 30, daily: 2, monthly: 20, server: 'medium-2c4g' },
	power: { title: 'Power', idleMinutes: 60, daily: 4, monthly: 60, server: 'large-4c8g' },
	ultra: { title: 'Ultra', idleMinutes: Infinity, daily: 8, monthly: 200, server: 'huge-8c16g' },
} as const;

export type Plan = keyof typeof plans;

export const burnPerMs = 0.0482 / (60 * minuteMs);
const burningStates: readonly LifecycleState[] = ['active', 'starting', 'restarting', 'updating'];

const isBurning = ({ state }: Computer) => burningStates.includes(state);

const stateDurationsMs: { readonly [State in LifecycleState]?: readonly [number, number] } = {
	stopping: [2_000, 6_000],
	starting: [5_000, 15_000],
	restarting: [6_000, 14_000],
	updating: [12_000, 30_000],
};
const useMs = [20 * minuteMs, 180 * minuteMs] as const;
const sleepMs = [20 * minuteMs, 150 * minuteMs] as const;

const creationFailures = [
	'image pull failed: disk quota exceeded',
	'no capacity left in the chosen location',
	'network attach failed: address pool exhausted',
	'services did not become ready within 300 s',
] as const;

type OperationRow = {
	from: readonly LifecycleState[];
	to?: LifecycleState;
	changes?: Partial<Computer>;
	/** Allowed without credits. */
	isFree?: boolean;
	/** What a POST to the path of this name is answered with; absent where another request has its own endpoint. */
	answer?: string;
};

export type OperationName = Exclude<BuiltInOperationId, 'create'>;

export const operations: Readonly<Record<OperationName, OperationRow>> = {
	start: {
		from: ['stopped'],
		to: 'starting',
		changes: { stoppedBy: null },
		answer: 'The computer is starting',
	},
	stop: {
		from: ['active'],
		to: 'stopping',
		changes: { stoppedBy: 'owner' },
		isFree: true,
		answer: 'The computer is stopping',
	},
	restart: {
		from: ['active', 'error'],
		to: 'restarting',
		changes: { error: null },
		answer: 'The computer is restarting',
	},
	delete: { from: ['provisioning', 'active', 'stopped', 'error'], isFree: true },
	update: { from: ['active'], to: 'updating' },
	publish: { from: ['active'], isFree: true },
	unpublish: { from: ['active', 'stopped'], isFree: true },
};

export const operationNames = Object.keys(operations) as readonly OperationName[];

export type Refusal = {
	status: number;
	code: string;
	message: string;
	computer?: Computer;
};

type OperationResult = { done: Computer } | { refused: Refusal };

export const refusedWith = (status: number, code: string, message: string) => ({
	refused: { status, code, message },
});

const outOfCredits = refusedWith(402, 'insufficient_credits', 'No credits are left');

/** Every method first lets happen what is due by now. */
export class World {
	readonly seed: number;
	readonly plan: Plan;
	readonly deletedComputers: Computer[] = [];
	hasPaymentMethod: boolean;
	onChange: (computer: Computer, before: Before) => void = () => {};
	readonly #computers = new Map<string, Computer>();
	readonly #releases: Release[];
	readonly #clock: { now(): number };
	readonly #payments = new Map<string, number>();
	#credits = Number.POSITIVE_INFINITY;
	#creditsOfPlan = { daily: 0, monthly: 0 };
	#burningCount = 0;
	#burnedMs = 0;
	#createdCount = 0;
	#now: number;

	constructor(seed: number, plan: Plan, clock: { now(): number }, releasedBefore = clock.now()) {
		this.seed = seed;
		this.plan = plan;
		this.hasPaymentMethod = plan !== 'free';
		this.#clock = clock;
		this.#now = Math.floor(clock.now());
		this.#releases = releasesBefore(seed, releasedBefore);
	}

	now(): number {
		// A clock that is set back must not bring back what is over.
		const now = Math.max(this.#now, Math.floor(this.#clock.now()));
		do this.#advance(Math.min(now, this.#creditsEndAt()));
		while (this.#now < now);
		return now;
	}

	#advance(to: number): void {
		this.#burnedMs = this.#burningCount * (to - this.#now);
		this.#now = to;
		this.#endStates(to);
		this.#credits = Math.max(0, this.#credits - burnPerMs * this.#burnedMs);
		if (this.#burningCount > 0 && this.#credits === 0) this.#stopAll();
	}

	#creditsEndAt(): number {
		if (this.#burningCount === 0) return Number.POSITIVE_INFINITY;
		return this.#now + Math.ceil(this.#credits / (this.#burningCount * burnPerMs));
	}

	computers(): readonly Computer[] {
		this.now();
		return [...this.#computers.values()];
	}

	find(id: string): Computer | undefined {
		this.now();
		return this.#computers.get(id);
	}

	releases(): readonly Release[] {
		return this.#releases;
	}

	balance() {
		this.now();
		const total = this.#credits;
		const daily = Math.min(total, this.#creditsOfPlan.daily);
		const monthly = Math.min(total - daily, this.#creditsOfPlan.monthly);
		return { total, daily, monthly, extra: total - daily - monthly };
	}

	create(name?: string): OperationResult {
		const now = this.now();
		if (this.#credits === 0) return outOfCredits;
		const computer = this.addComputer(now, name);
		this.provision(computer, now);
		return { done: computer };
	}

	operate(
		operation: OperationName,
		computer: Computer,
		{ version = latestOf(this.#releases).version, port = 0 } = {},
	): OperationResult {
		const now = this.now();
		const { from, to, changes, isFree } = operations[operation];
		const { state, ports } = computer;
		const conflict = (code: string, message: string) => ({
			refused: { status: 409, code, message, computer },
		});
		if (!from.includes(state)) {
			return ['active', 'stopped', 'error', 'archived'].includes(state)
				? conflict('invalid_state', `Cannot ${operation} while the computer is ${state}`)
				: conflict('already_in_progress', `Another operation is already in progress (${state})`);
		}
		if (operation === 'update') {
			if (!this.#releases.some(release => release.version === version))
				return refusedWith(400, 'unknown_version', `There is no version ${version}`);
			const present = computer.version ?? '';
			if (version.localeCompare(present, 'en', { numeric: true }) <= 0)
				return conflict('up_to_date', `The computer already runs version ${present}`);
		}
		const others = ports.filter(published => published.port !== port);
		if (operation === 'unpublish' && others.length === ports.length)
			return refusedWith(404, 'port_not_published', `Port ${port} is not published`);
		if (!isFree && this.#credits === 0) return outOfCredits;
		if (to) this.enter(computer, to, now, changes);
		if (operation === 'update') computer.targetVersion = version;
		if (operation === 'delete') this.remove(computer.id);
		if (operation === 'unpublish') computer.ports = others;
		if (operation === 'publish' && others.length === ports.length)
			computer.ports = [...ports, publishedPort(this.seed, computer.number, port)];
		return { done: computer };
	}

	visit(computer: Computer): void {
		const now = this.now();
		if (computer.state === 'active') computer.inUseUntil = Math.max(computer.inUseUntil, now);
		const isAsleep = computer.state === 'stopped' && computer.stoppedBy === 'idleness';
		if (isAsleep && this.#credits > 0) this.enter(computer, 'starting', now, { stoppedBy: null });
	}

	openPayment(credits: number): string {
		const id = `cs_${randomCode(16, this.seed, randomPurposes.session, this.#payments.size)}`;
		this.#payments.set(id, credits);
		return id;
	}

	pay(id: string): number {
		const credits = this.#payments.get(id) ?? 0;
		if (credits > 0) this.hasPaymentMethod = true;
		this.#credits += credits;
		this.#payments.set(id, 0);
		return credits;
	}

	// Tests and the story change the world with the following methods.

	get(idOrName: string): Computer {
		const isMeant = ({ id, name }: Computer) => id === idOrName || name === idOrName;
		const computer = this.find(idOrName) ?? this.computers().find(isMeant);
		if (!computer) throw new Error(`There is no computer ${idOrName}.`);
		return computer;
	}

	add({ name, createdAt, state = 'active', ports = [], ...more }: Newcomer = {}): Computer {
		const now = this.now();
		const computer = this.addComputer(createdAt ?? now, name);
		if (state === 'provisioning') this.provision(computer, now);
		else
			this.enter(computer, state, now, {
				version: latestOf(this.#releases).version,
				startedAt: state === 'stopped' || state === 'error' ? null : now,
				error: state === 'error' ? 'The computer broke down' : null,
				stoppedBy: state === 'stopped' || state === 'stopping' ? 'owner' : null,
				ports: ports.map(port => publishedPort(this.seed, computer.number, port)),
				...more,
			});
		return computer;
	}

	remove(idOrName: string): void {
		const computer = this.get(idOrName);
		this.#computers.delete(computer.id);
		this.deletedComputers.push(computer);
		this.enter(computer, 'archived', this.#now, { ports: [], startedAt: null });
	}

	wake(idOrName: string): void {
		this.enter(this.get(idOrName), 'starting', this.#now, { stoppedBy: null, error: null });
	}

	sleep(idOrName: string): void {
		this.enter(this.get(idOrName), 'stopping', this.#now, { stoppedBy: 'idleness' });
	}

	fail(idOrName: string, error = 'The computer broke down'): void {
		this.enter(this.get(idOrName), 'error', this.#now, { error, startedAt: null });
	}

	publishRelease(version = nextVersion(this.seed, this.#releases)): Release {
		const release = createRelease(this.seed, this.#releases.length, version, this.now());
		this.#releases.push(release);
		return release;
	}

	setCredits(credits: number, ofPlan = { daily: 0, monthly: 0 }): void {
		this.now();
		this.#credits = credits;
		this.#creditsOfPlan = ofPlan;
		this.now();
	}

	addComputer(createdAt: number, name?: string): Computer {
		const number = this.#createdCount++;
		const place = randomFraction(this.seed, randomPurposes.place, number);
		const computer: Computer = {
			number,
			id: `sb_${randomCode(12, this.seed, randomPurposes.id, number)}`,
			name: name ?? starName(number),
			createdAt,
			location: pickItem(['eu-north', 'eu-west', 'us-east', 'ap-south'], place),
			isAlwaysInUse: number === 0 || randomFraction(this.seed, randomPurposes.habit, number) < 0.5,
			unreachableSince: undefined,
			state: 'provisioning',
			stateSince: createdAt,
			stateEndsAt: Number.POSITIVE_INFINITY,
			provisioning: { startedAt: createdAt, durationMs: minuteMs },
			startedAt: null,
			version: null,
			targetVersion: null,
			error: null,
			stoppedBy: null,
			inUseUntil: createdAt,
			ports: [],
			randomDrawCount: 0,
		};
		this.#computers.set(computer.id, computer);
		return computer;
	}

	/** Takes about a minute, and 6 % fail. */
	provision(computer: Computer, startedAt: number): void {
		const draw = () => this.#draw(computer);
		const provisioning: Provisioning = {
			startedAt,
			durationMs: Math.round(42_000 + draw() * 33_000),
		};
		if (draw() < 0.06) {
			const atFraction = 0.3 + draw() * 0.6;
			provisioning.failure = { atFraction, message: pickItem(creationFailures, draw()) };
		}
		this.enter(computer, 'provisioning', startedAt, { provisioning });
	}

	enter(computer: Computer, state: LifecycleState, at: number, changes?: Partial<Computer>): void {
		const before = { ...computer };
		const burning = Number(burningStates.includes(state)) - Number(isBurning(computer));
		this.#burningCount += burning;
		this.#burnedMs += burning * (this.#now - at);
		Object.assign(computer, { state, stateSince: at, unreachableSince: undefined }, changes);
		if (state === 'active') computer.inUseUntil = at + valueWithin(useMs, this.#draw(computer));
		computer.stateEndsAt = this.#endOf(computer, at);
		this.onChange(computer, before);
	}

	#endOf(computer: Computer, at: number): number {
		const { state, stoppedBy, provisioning, isAlwaysInUse, inUseUntil } = computer;
		const range = stateDurationsMs[state];
		if (range) return at + valueWithin(range, this.#draw(computer));
		if (state === 'provisioning') {
			const { startedAt, durationMs, failure } = provisioning;
			return startedAt + Math.round(durationMs * (failure?.atFraction ?? 1));
		}
		if (state === 'active' && !isAlwaysInUse)
			return inUseUntil + plans[this.plan].idleMinutes * minuteMs;
		const isAsleep = state === 'stopped' && stoppedBy === 'idleness';
		return isAsleep ? at + valueWithin(sleepMs, this.#draw(computer)) : Number.POSITIVE_INFINITY;
	}

	#endStates(until: number): void {
		for (const computer of this.#computers.values())
			while (computer.stateEndsAt <= until) this.#endState(computer, computer.stateEndsAt);
	}

	#endState(computer: Computer, at: number): void {
		const { state, provisioning, targetVersion, version } = computer;
		if (state === 'active') {
			const sleepsAt = this.#endOf(computer, at);
			if (at < sleepsAt) computer.stateEndsAt = sleepsAt;
			else this.enter(computer, 'stopping', at, { stoppedBy: 'idleness' });
		} else if (state === 'stopping') {
			this.enter(computer, 'stopped', at, { startedAt: null });
		} else if (state === 'stopped') {
			if (this.#credits > 0) this.enter(computer, 'starting', at, { stoppedBy: null });
			else computer.stateEndsAt = this.#endOf(computer, at);
		} else if (state === 'provisioning' && provisioning.failure) {
			this.enter(computer, 'error', at, { error: provisioning.failure.message });
		} else {
			const installed = version ?? latestOf(this.#releases).version;
			const updated = { version: targetVersion, ports: [] };
			const changes = state === 'updating' ? updated : { version: installed };
			this.enter(computer, 'active', at, { startedAt: at, ...changes });
		}
	}

	#stopAll(): void {
		for (const computer of this.#computers.values()) {
			if (isBurning(computer))
				this.enter(computer, 'stopping', this.#now, { stoppedBy: 'credits' });
		}
	}

	#draw(computer: Computer): number {
		return randomFraction(this.seed, computer.number, computer.randomDrawCount++);
	}
}

export type Before = Pick<Computer, 'state' | 'stateSince' | 'stoppedBy'>;

type Newcomer = Partial<Pick<Computer, 'name' | 'createdAt' | 'state' | 'version' | 'error'>> & {
	ports?: readonly number[];
};
