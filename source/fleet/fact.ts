import type { Credits, Model, Release, Subscription } from './account.ts';
import type { Change } from './change.ts';
import type { PublishedPort, Reading } from './computer.ts';
import type { Failure } from './failure.ts';
import type { OperationSpec } from './operation.ts';
import type { CreditSample } from './runway.ts';
import type { StopReason } from './stop-reason.ts';
import type { Since } from './uptime.ts';

/** The kinds of reads. The table in `watch/reads.ts` says how often each is sent. */
export type ReadName =
	| 'list'
	| 'status'
	| 'detail'
	| 'credits'
	| 'subscription'
	| 'release'
	| 'models';

/** How much of one rate limit is used, as plain data. */
export type ScopeUsage = {
	limit: number;
	/** Slots in use, by this program and by others. */
	spent: number;
	frozenUntil?: number;
	/** Other processes cannot be counted, so only a part of the platform's limit is used. */
	isAlone?: boolean;
	/** When the next read may be sent, while none may. */
	nextReadAt?: number;
};

export type RateLimitUsage = Readonly<Record<'create' | 'status' | 'other', ScopeUsage>>;

/** One computer as an earlier run knew it. */
export type RestoredComputer = {
	reading: Reading;
	/** When its status was last known. */
	seenAt: number;
	since?: Since;
	stopReason?: StopReason;
};

export type FactBody =
	/** The snapshot of an earlier run, shown before the network answers. */
	| { type: 'fleetRecalled'; computers: readonly RestoredComputer[] }
	/** The past, from the journal. */
	| { type: 'pastRecalled'; changes: readonly Change[]; samples: readonly CreditSample[] }
	/** Everything that the journal has about one computer. */
	| { type: 'historyRecalled'; id: string; changes: readonly Change[] }
	/** `unreadable` counts the records that could not be read. Each may be a computer missing from the list. */
	| { type: 'listRead'; computers: readonly Reading[]; unreadable?: number }
	| { type: 'detailRead'; computer: Reading }
	| { type: 'statusRead'; computer: Reading }
	/** A read by id found no such computer. */
	| { type: 'computerMissed'; id: string }
	/** The next try is at `nextAt`, or as soon afterwards as the rate limits allow. */
	| { type: 'readFailed'; read: ReadName; id?: string; failure: Failure; nextAt?: number }
	| { type: 'creditsRead'; credits: Credits }
	| { type: 'subscriptionRead'; subscription: Subscription | null }
	| { type: 'releaseRead'; release: Release }
	| { type: 'modelsRead'; models: readonly Model[] }
	| { type: 'operationAsked'; wish: OperationSpec }
	| { type: 'operationSent'; key: string }
	/**
	 * The platform accepted the operation. For a create the response brings the computer, and for a publish
	 * the port. Publish and unpublish are accepted before they settle, like all others.
	 */
	| {
			type: 'operationAccepted';
			key: string;
			computer?: string;
			reading?: Reading;
			published?: PublishedPort;
	  }
	| { type: 'operationSettled'; key: string }
	| { type: 'operationFailed'; key: string; failure: Failure }
	/** No response came: it may have been done or not, and the state is read to find out. */
	| { type: 'operationUnknown'; key: string; failure: Failure }
	| { type: 'operationCancelled'; key: string }
	/** A person has seen how it ended. */
	| { type: 'operationSeen'; key: string }
	| { type: 'paceChanged'; standings: RateLimitUsage }
	| { type: 'signedIn'; email?: string }
	| { type: 'signInFailed'; failure: Failure };

/**
 * Everything that happens is a fact: a small serialisable value in the past tense. Nothing else
 * changes the state. Facts are written to disk, so their field names never change.
 *
 * `at` is when the fact became known here: an answer came, or a person pressed a key. `askedAt` is when
 * the request of an answer was sent; without it, `at` counts. The answer was true at some time between the
 * two. So an answer never replaces one that was asked for later, and an answer that was asked for before
 * the platform accepted an operation says nothing about its outcome.
 *
 * ```
 *   list    asked ├───────────────────┤ answered: "active"     asked before the stop was
 *   stop             sent ├──────┤ accepted                    accepted, so it is not believed
 *   status                           asked ├──┤ "stopping"     believed
 * ```
 *
 * `every` is the planned interval to the next such answer about computers.
 */
export type Fact = { account: string; at: number; askedAt?: number; every?: number } & FactBody;
