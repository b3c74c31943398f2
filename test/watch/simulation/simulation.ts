import type { Operation } from '../../../source/fleet/operations/operation.ts';
import type { PollingMode } from '../../../source/fleet/reads.ts';
import { createJumps } from '../../../source/foundation/jumps.ts';
import { fold } from '../../../source/store/fold.ts';
import { type AccountState, emptyAccount, type State } from '../../../source/store/state.ts';
import { createWatch, type Watch } from '../../../source/watch/watch.ts';
import { createMemoryLimiter } from '../../limits/memory-log.ts';
import { type Changes, createChanges } from './changes.ts';
import { fullRecord } from './full-record.ts';
import { createModelPlatform } from './model-platform.ts';
import { createMovingClock, type MovingClock } from './moving-clock.ts';
import { createRandom } from './random.ts';
import { createWaits, type Waits } from './waits.ts';
import { createWindow, type Window, type WindowKind } from './window.ts';

export type SimulationOptions = {
	computers: number;
	/** How many computers, at the start of the list, are being created. */
	creating?: number;
	hasStatus?: { list: boolean; detail: boolean };
	/** Milliseconds between two changes of one computer. */
	changeEvery?: number;
	/** Whether a person watches and an operation of this program is under way. */
	mode?: PollingMode;
	window?: WindowKind;
};

export type Simulation = {
	clock: MovingClock;
	random: () => number;
	watch: Watch;
	changes: Changes;
	waits: Waits;
	windows: Readonly<Record<'status' | 'other', Window>>;
};

const minute = 60_000;
const hour = 60 * minute;

const never = Number.NEGATIVE_INFINITY;
const always = Number.POSITIVE_INFINITY;

const endlessOperation: Operation = {
	spec: { key: 'k', operation: 'stop', computer: 'elsewhere' },
	stage: 'queued',
	askedAt: always,
	hasPhaseChanged: false,
};

/** Runs the real watch, store and limiter against a model of the platform. */
export function createSimulation(options: SimulationOptions): Simulation {
	const { computers: count, creating = 0, mode = 'moving' } = options;
	const { hasStatus = { list: true, detail: true } } = options;
	const clock = createMovingClock();
	const random = createRandom(1);
	const computers = Array.from({ length: count }, (_, place) => ({
		...fullRecord,
		id: `sb_${place}`,
		status: place < creating ? 'provisioning' : 'active',
	}));
	const ids = computers.map(({ id }) => id);
	const changes = createChanges({
		ids,
		every: (options.changeEvery ?? hour) / count,
		random: createRandom(2),
	});
	const kind = options.window ?? 'rolling';
	const windows = {
		status: createWindow(60, minute, kind),
		other: createWindow(30, minute, kind),
	};
	const limiter = createMemoryLimiter(clock, random);
	const waits = createWaits(ids, ids.slice(0, creating));
	const platform = createModelPlatform({
		clock,
		rateLimiter: limiter,
		random,
		computers,
		windows,
		changes,
		hasStatus,
		onStatus: id => waits.answered(id, clock.lived()),
	});
	let account: AccountState = emptyAccount;
	// An operation that began in the future never counts as stuck.
	if (mode === 'moving') account = { ...account, operations: new Map([['k', endlessOperation]]) };
	let state: State = { accounts: new Map([['simulated', account]]) };
	// What is being created was seen before, so that it is urgent from the start.
	const seen = computers.slice(0, creating).map(reading => ({ reading, seenAt: clock.now() }));
	state = fold(state, {
		account: 'simulated',
		at: clock.now(),
		type: 'recalled',
		computers: seen,
	});
	const watch = createWatch({
		jumps: createJumps(clock),
		account: 'simulated',
		platform,
		limiter,
		clock,
		random,
		accountState: () => state.accounts.get('simulated'),
		onFact(fact) {
			state = fold(state, fact);
		},
		initialAttention: {
			visibleIds: new Set(),
			attendedUntil: mode === 'unattended' ? never : always,
		},
	});
	return { clock, random, watch, changes, waits, windows };
}
