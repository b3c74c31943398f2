import type { TokenCache } from '../fleet/access-token.ts';
import type { OperationId } from '../fleet/operation.ts';
import type { Strictness } from '../fleet/preferences.ts';
import { createOperations, type Operations } from '../operations/operations.ts';
import { createMemoryLedger, type Ledger } from '../pace/ledger.ts';
import { createPace, type Pace } from '../pace/pace.ts';
import { createPlatform, type Platform } from '../platform/platform.ts';
import type { Credentials } from '../platform/sign-in.ts';
import { createStore, type Store } from '../store/store.ts';
import { createPollableFleet } from '../watch/pollable-fleet.ts';
import { createWatch, type Watch } from '../watch/watch.ts';
import type { Host } from './host.ts';

/** One account under watch: what it tells goes into the store. */
export type AccountSession = {
	/** The key under which everything about it is known and kept. */
	account: string;
	/** What a person calls it: the name of its profile. */
	label: string;
	/** Where its platform answers. */
	baseUrl: string;
	store: Store;
	platform: Platform;
	pace: Pace;
	watch: Watch;
	operations: Operations;
	/** Everything that would change something is refused. */
	isReadOnly: boolean;
	/** What an equivalent command needs beside. */
	commandOptions: readonly string[];
	/** Aborted when it closes. */
	signal: AbortSignal;
	close(): Promise<void>;
};

/** How to reach an account, whatever told it. */
export type Access = {
	/** Its key; see `accountKey`. */
	account: string;
	/** What a person calls it; its key where nothing else is given. */
	label?: string;
	baseUrl: string;
	credentials: Credentials;
	fetch: Host['fetch'];
	/** Where its requests are counted; without one, for this process alone. */
	ledger?: Ledger;
	tokens?: TokenCache;
	/** Takes secrets out of what others say. */
	redact?: (text: string) => string;
	isReadOnly?: boolean;
	/** Where a person wants other questions than usual. */
	confirm?: Readonly<Partial<Record<OperationId, Strictness>>>;
	/** Other graces than usual, in milliseconds: a command that was answered has none. */
	graces?: Readonly<Partial<Record<OperationId, number>>>;
	/** What an equivalent command needs beside. */
	commandOptions?: readonly string[];
	/** Milliseconds without a key; Infinity for never. */
	lockAfter?: number;
};

export function openSession(
	host: Pick<Host, 'clock' | 'random' | 'elapsed' | 'activity'>,
	access: Access,
): AccountSession {
	const { clock, random, elapsed, activity } = host;
	const { account, baseUrl, credentials, fetch, tokens } = access;
	const closing = new AbortController();
	const store = createStore();
	const ledger = access.ledger ?? createMemoryLedger({ elapsed });
	const pace = createPace({ clock, random, ledger });
	const platform = createPlatform({
		baseUrl,
		credentials,
		rateLimiter: pace,
		clock,
		fetch,
		activity,
		...(tokens && { tokens }),
		...(access.redact && { redact: access.redact }),
		onSignedIn: email => store.fold({ account, at: clock.now(), type: 'signedIn', email }),
	});
	const watch = createWatch({
		account,
		platform,
		pace,
		clock,
		random,
		fleet: createPollableFleet(() => store.getState().accounts.get(account)),
		onFact: store.fold,
		attention: { visible: new Set(), focused: true },
	});
	const operations = createOperations({
		account,
		store,
		platform,
		pace,
		clock,
		random,
		watch,
		isReadOnly: () => access.isReadOnly ?? false,
		lockAfter: access.lockAfter ?? 10 * 60_000,
		...(access.confirm && { confirm: access.confirm }),
		...(access.graces && { graces: access.graces }),
		...(access.commandOptions && { commandOptions: access.commandOptions }),
	});
	let told = '';
	const endPaceNews = pace.subscribe(() => {
		const standings = standingsOf(pace);
		const telling = JSON.stringify(standings);
		if (telling === told) return;
		told = telling;
		store.fold({ account, at: clock.now(), type: 'paceChanged', standings });
	});

	return {
		account,
		label: access.label ?? account,
		baseUrl,
		store,
		platform,
		pace,
		watch,
		operations,
		isReadOnly: access.isReadOnly ?? false,
		commandOptions: access.commandOptions ?? [],
		signal: closing.signal,
		async close() {
			closing.abort();
			operations.quit();
			endPaceNews();
			watch.stop();
			platform.close();
			await pace.close();
		},
	};
}

function standingsOf(pace: Pace) {
	const budgets = pace.budgets();
	const standing = ({ limit, left, nextAt, frozenUntil, isAlone }: (typeof budgets)['other']) => ({
		limit,
		spent: limit - left.operation,
		...(left.read === 0 && { nextReadAt: nextAt.read }),
		...(frozenUntil !== undefined && { frozenUntil }),
		...(isAlone && { isAlone }),
	});
	return {
		create: standing(budgets.create),
		status: standing(budgets.status),
		other: standing(budgets.other),
	};
}
