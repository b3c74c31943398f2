import type { OperationId } from '../../source/fleet/operation.ts';
import { createOperations } from '../../source/operations/operations.ts';
import { createMemoryLedger } from '../../source/pace/ledger.ts';
import { createPace } from '../../source/pace/pace.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { createHeldClock } from '../held-clock.ts';
import { createPretendPlatform, type Deed } from './pretend-platform.ts';

const account = 'owner';
const lockAfter = 600_000;

/** One is called like a key, and one like what many ask for. */
export const names = ['atlas', 'box 1', 'cygnus', 'n', 'draco', 'delete 2'];

/** What was confirmed, and how often it may still go out. */
type Permission = { operation: OperationId; id: string | undefined; isSpent: boolean };

export type Met = { deeds: number; deletes: number; creates: number; resent: number };

/**
 * The whole path over a pretended platform, with a guard at its door who knows what was confirmed. What
 * the guard holds to is written from the design, not from the code.
 */
export function openGuarded(met: Met) {
	const clock = createHeldClock();
	const permissions: Permission[] = [];
	const state = { ahead: 0, isReadOnly: false, isShut: false, hasQuit: false, activeAt: 0 };
	const wall = { now: () => clock.now() + state.ahead, after: clock.after };
	const problems: string[] = [];

	function onDeed({ operation, id, fate }: Deed) {
		met.deeds += 1;
		if (operation === 'delete') met.deletes += 1;
		if (operation === 'create') met.creates += 1;
		const what = `${operation} ${id ?? ''}`;
		if (state.hasQuit) problems.push(`${what} after quit`);
		if (state.isReadOnly) problems.push(`${what} while read-only`);
		if (state.isShut) problems.push(`${what} while locked`);
		if (wall.now() - state.activeAt >= lockAfter) problems.push(`${what} after the idle time`);
		state.activeAt = wall.now();
		const permission = permissions.find(
			each => each.operation === operation && each.id === id && !each.isSpent,
		);
		if (!permission) problems.push(`${what} without a permission left`);
		// Only what was surely not done may go again.
		else if (fate !== 401 && fate !== 429) permission.isSpent = true;
		else met.resent += 1;
	}

	const platform = createPretendPlatform(onDeed);
	for (const name of names) platform.add(name);
	const store = createStore();
	const random = () => 0.5;
	const pace = createPace({
		clock: wall,
		random,
		ledger: createMemoryLedger({ elapsed: clock.now }),
	});
	const client = createPlatform({
		baseUrl: 'https://api.test/v1',
		credentials: {
			kind: 'password',
			authUrl: 'https://id.test',
			anonKey: 'k',
			email: 'e',
			password: async () => 'p',
		},
		rateLimiter: pace,
		clock: wall,
		fetch: platform.fetch,
	});
	const known = () => store.getState().accounts.get(account) ?? emptyAccount;

	async function refresh() {
		const askedAt = wall.now();
		const asking = { signal: new AbortController().signal, priority: 'read' } as const;
		const told = client.listComputers(asking).then(
			({ computers }) =>
				store.fold({ account, at: wall.now(), askedAt, type: 'listRead', computers }),
			() => undefined,
		);
		await Promise.race([told, flush()]);
	}

	const operations = createOperations({
		account,
		store,
		platform: client,
		pace,
		clock: wall,
		random,
		watch: { wake: () => {}, readNow: () => void refresh() },
		isReadOnly: () => state.isReadOnly,
		lockAfter,
	});
	state.activeAt = wall.now();

	/** What was called off may not go any more. */
	function cancel(what: Parameters<typeof operations.cancel>[0]) {
		for (const { operation, computer } of operations.cancel(what)) {
			const isIt = (each: Permission) =>
				each.operation === operation && each.id === computer && !each.isSpent;
			const place = permissions.findIndex(isIt);
			if (place < 0) problems.push(`${operation} was cancelled, and had gone already`);
			else permissions.splice(place, 1);
		}
	}

	return {
		clock,
		wall,
		state,
		permissions,
		problems,
		platform,
		known,
		refresh,
		cancel,
		operations,
	};
}

export type Guarded = ReturnType<typeof openGuarded>;

/** Whatever waits only for what is there already goes on. */
export const flush = async () => {
	for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
};
