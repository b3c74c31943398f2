import { type Phase, phaseOf, type Reading } from '../../../source/fleet/computers/computer.ts';
import { isNotRead } from '../../../source/fleet/computers/not-read.ts';
import type { Fact } from '../../../source/fleet/fact.ts';
import { createJumps } from '../../../source/foundation/jumps.ts';
import { snapshotFacts } from '../../../source/journal/fleet-file.ts';
import { createFailure, PlatformError } from '../../../source/platform/decoding/platform-error.ts';
import { fold } from '../../../source/store/fold.ts';
import { type AccountState, emptyAccount, emptyState } from '../../../source/store/state.ts';
import type { ReadApi } from '../../../source/watch/reads.ts';
import { createWatch } from '../../../source/watch/watch.ts';
import { createMemoryLimiter } from '../../limits/memory-log.ts';
import { createChanges } from './changes.ts';
import { createModelPlatform } from './model-platform.ts';
import { createMovingClock } from './moving-clock.ts';
import { createRandom, randomWait } from './random.ts';
import { createWindow } from './window.ts';

type Computer = { id: string; status: string; changeCount: number };

type Options = {
	computers: number;
	failed: number;
	/** The computers on screen. */
	visible: readonly string[];
	isAttended?: boolean;
	/** Milliseconds between two changes of the status of one computer; absent for no changes. */
	changeEvery?: number;
	/** The computers whose status reads fail. */
	broken?: readonly string[];
	/** The facts of an earlier run's snapshot. */
	recalled?: readonly Fact[];
};

const minute = 60_000;
const account = 'minimal';

/**
 * Runs the real watch, limiter and store against a platform whose list has only ids, names, statuses and times of creation.
 */
export function createMinimalList(options: Options) {
	const { changeEvery, isAttended = true, broken = [] } = options;
	const clock = createMovingClock();
	const random = createRandom(1);
	// The failed computers are spread over the fleet.
	const every = Math.floor(options.computers / options.failed);
	const world = Array.from({ length: options.computers }, (_, place): Computer => {
		const isFailed = place % every === 0 && place / every < options.failed;
		const status = isFailed ? 'error' : place % 5 === 1 ? 'stopped' : 'active';
		return { id: `sb_${place}`, status, changeCount: 0 };
	});
	const byId = new Map(world.map(each => [each.id, each]));
	const windows = {
		status: createWindow(60, minute, 'rolling'),
		other: createWindow(30, minute, 'rolling'),
	};
	const limiter = createMemoryLimiter(clock, random);
	const model = createModelPlatform({
		clock,
		rateLimiter: limiter,
		random,
		computers: world,
		windows,
		changes: createChanges({ ids: [], every: Number.POSITIVE_INFINITY, random }),
		hasStatus: { list: true, detail: true },
		onStatus: () => {},
	});
	let latest = '1.5.0';
	/** The statuses that were read, with what may have been the reason to read each. */
	const statusReads: { id: string; at: number; reason: string }[] = [];
	const recordOf = ({ id, status }: Computer): Reading => ({
		id,
		name: `box-${id}`,
		status,
		createdAt: clock.now() - clock.elapsed(),
	});
	const platform: ReadApi = {
		...model,
		async listComputers(request) {
			const { requestCount } = await model.listComputers(request);
			return { computers: world.map(recordOf), requestCount };
		},
		async readStatus(id, request) {
			await model.readStatus(id, request);
			if (broken.includes(id)) throw new PlatformError(createFailure('server', 'unavailable'));
			const computer = byId.get(id);
			if (!computer) return { id };
			const { status, changeCount } = computer;
			const reason = `${id}, change ${changeCount}, release ${known().release?.version}`;
			statusReads.push({ id, at: clock.lived(), reason });
			return {
				id,
				status,
				...(status === 'active' && { version: '1.4.2' }),
				...(status === 'error' && { error: 'disk full' }),
			};
		},
		async readComputer(id, request) {
			await model.readComputer(id, request);
			return { ...recordOf(byId.get(id) ?? { id, status: 'active', changeCount: 0 }), cpu: 12 };
		},
		async release(request) {
			const release = await model.release(request);
			return { ...release, version: latest };
		},
	};

	let state = emptyState;
	const known = (): AccountState => state.accounts.get(account) ?? emptyAccount;
	for (const fact of options.recalled ?? []) state = fold(state, fact);
	/** Since when the reason or the version of a computer is not known, by id. */
	const unknownSince = new Map<string, number>();
	let longestUnknown = 0;
	let firstListAt = Number.NaN;
	let notedAt = Number.NEGATIVE_INFINITY;

	function noteKnown() {
		const { computers, listFields } = known();
		const now = clock.lived();
		if (now - notedAt < minute) return;
		notedAt = now;
		computers.forEach(computer => {
			const isUnknown = (['error', 'version'] as const).some(field =>
				isNotRead(field, computer, listFields),
			);
			const since = unknownSince.get(computer.id);
			if (isUnknown) unknownSince.set(computer.id, since ?? now);
			else if (since !== undefined) unknownSince.delete(computer.id);
			if (since !== undefined) longestUnknown = Math.max(longestUnknown, now - since);
		});
	}

	const watch = createWatch({
		jumps: createJumps(clock),
		account,
		platform,
		limiter,
		clock,
		random,
		accountState: known,
		onFact(fact) {
			state = fold(state, fact);
			if (fact.type === 'listRead' && Number.isNaN(firstListAt)) firstListAt = clock.lived();
			if (fact.type === 'listRead') noteKnown();
		},
		initialAttention: {
			visibleIds: new Set(options.visible),
			attendedUntil: isAttended ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
		},
	});

	if (changeEvery !== undefined) {
		const next = () => {
			const computer = world[Math.floor(random() * world.length)];
			if (computer) {
				const others = ['active', 'stopped', 'error'].filter(each => each !== computer.status);
				computer.status = others[Math.floor(random() * others.length)] ?? 'active';
				computer.changeCount += 1;
			}
			clock.after(randomWait(random, changeEvery / world.length), next);
		};
		clock.after(randomWait(random, changeEvery / world.length), next);
	}

	return {
		clock,
		windows,
		watch,
		statusReads,
		known,
		/** Reports another version as the latest one from now on. */
		release(version: string) {
			latest = version;
		},
		/** Returns the computers with a field that nobody has read yet, in this phase. */
		unread: (field: 'error' | 'version', phase: Phase, ids?: readonly string[]) =>
			[...known().computers.values()].filter(
				computer =>
					computer.phase === phase &&
					(ids === undefined || ids.includes(computer.id)) &&
					isNotRead(field, computer, known().listFields),
			).length,
		/** Lives until `isReached` holds, and returns the milliseconds since the first list, or NaN if `withinMs` is over. */
		async timeUntil(isReached: () => boolean, withinMs: number): Promise<number> {
			const step = withinMs / 240;
			for (let lived = 0; lived < withinMs; lived += step) {
				await clock.live(step);
				if (!Number.isNaN(firstListAt) && isReached()) return clock.lived() - firstListAt;
			}
			return Number.NaN;
		},
		/** How long the reason or the version of any computer was not known, at most. */
		longestUnknown: () => longestUnknown,
		snapshot: () => [...snapshotFacts(account, known(), clock.now())],
		idsIn: (phase: Phase) =>
			world.filter(({ status }) => phaseOf(status) === phase).map(({ id }) => id),
	};
}
