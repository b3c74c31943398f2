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

/** How much of one rate limit is used. */
export type ScopeUsage = {
	limit: number;
	/** How many requests count against the limit now, from this program and from other clients. */
	spent: number;
	frozenUntil?: number;
	/**
	 * True if this process cannot see the requests of other processes. It then uses only a part of the platform's
	 * limit.
	 */
	isAlone?: boolean;
	/** When the next read may be sent; absent if a read may be sent now. */
	nextReadAt?: number;
};

export type RateLimitUsage = Readonly<Record<'create' | 'status' | 'other', ScopeUsage>>;

/** One computer in the snapshot of an earlier run. */
export type RestoredComputer = {
	reading: Reading;
	/** The time at which the status was last known. */
	seenAt: number;
	since?: Since;
	stopReason?: StopReason;
};

export type FactBody =
	/** The snapshot of an earlier run was loaded. It is shown until the platform has answered. */
	| { type: 'fleetRecalled'; computers: readonly RestoredComputer[] }
	/** The changes and credit samples of earlier runs were loaded from the journal. */
	| { type: 'pastRecalled'; changes: readonly Change[]; samples: readonly CreditSample[] }
	/** All changes of one computer were loaded from the journal. */
	| { type: 'historyRecalled'; id: string; changes: readonly Change[] }
	/**
	 * A list was read. `unreadable` counts the records that could not be decoded. A computer that is missing from
	 * the list may be one of them.
	 */
	| { type: 'listRead'; computers: readonly Reading[]; unreadable?: number }
	| { type: 'detailRead'; computer: Reading }
	| { type: 'statusRead'; computer: Reading }
	/** A read by id returned that there is no such computer. */
	| { type: 'computerMissed'; id: string }
	/** A read failed. The next try is at `nextAt`, or as soon afterwards as the rate limits allow. */
	| { type: 'readFailed'; read: ReadName; id?: string; failure: Failure; nextAt?: number }
	| { type: 'creditsRead'; credits: Credits }
	| { type: 'subscriptionRead'; subscription: Subscription | null }
	| { type: 'releaseRead'; release: Release }
	| { type: 'modelsRead'; models: readonly Model[] }
	| { type: 'operationAsked'; wish: OperationSpec }
	| { type: 'operationSent'; key: string }
	/**
	 * The platform accepted the operation. The response of a create contains the computer, and that of a
	 * publish contains the port. Publish and unpublish are accepted before they settle, like all other
	 * operations.
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
	/**
	 * No response came, so the operation may or may not have been done. Reads of its computer will find out.
	 */
	| { type: 'operationUnknown'; key: string; failure: Failure }
	| { type: 'operationCancelled'; key: string }
	/** A person has seen how the operation ended. */
	| { type: 'operationSeen'; key: string }
	| { type: 'paceChanged'; standings: RateLimitUsage }
	| { type: 'signedIn'; email?: string }
	| { type: 'signInFailed'; failure: Failure };

/**
 * A fact is an event as a small serialisable value in the past tense. Only facts change the state. Facts are
 * written to disk, so their field names never change.
 *
 * `at` is the time at which the program learned the fact: an answer came, or a person pressed a key. `askedAt`
 * is the time at which the request was sent; if absent, `at` counts. The answer was true at some time between
 * `askedAt` and `at`. So an answer never replaces one whose request was sent later. And an answer whose request was sent
 * before the platform accepted an operation says nothing about the outcome of that operation.
 *
 * ```
 *   list    asked ├───────────────────┤ answered: "active"     asked before the stop was
 *   stop             sent ├──────┤ accepted                    accepted, so it is not believed
 *   status                           asked ├──┤ "stopping"     believed
 * ```
 *
 * `every` is the planned interval until the next answer of this kind, for answers about computers.
 */
export type Fact = { account: string; at: number; askedAt?: number; every?: number } & FactBody;
