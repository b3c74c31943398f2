import type { Credits, Model, Release, Subscription } from './account.ts';
import type { Change } from './change.ts';
import type { PublishedPort, Reading } from './computer.ts';
import type { Failure } from './failure.ts';
import type { OperationSpec } from './operation.ts';
import type { CreditSample } from './runway.ts';
import type { StopReason } from './stop-reason.ts';
import type { Since } from './uptime.ts';

/** What is polled. `watch/reads.ts` has the table of how often, and from which budget. */
export type ReadName =
	| 'list'
	| 'status'
	| 'detail'
	| 'credits'
	| 'subscription'
	| 'release'
	| 'models';

/** How one scope of the rate limits stands, as plain data. */
export type ScopeUsage = {
	limit: number;
	/** Spent and not free again yet, by us and by others. */
	spent: number;
	frozenUntil?: number;
	/** The requests of other processes cannot be seen, so the limit is only a part of the platform's. */
	isAlone?: boolean;
	/** When the next read may go, while none may. */
	nextReadAt?: number;
};

export type RateLimitUsage = Readonly<Record<'create' | 'status' | 'other', ScopeUsage>>;

/** One computer as an earlier run knew it. */
export type RestoredComputer = {
	reading: Reading;
	/** When its status was last told. */
	seenAt: number;
	since?: Since;
	stopReason?: StopReason;
};

export type FactBody =
	/** What was kept of the last run, painted before the network has answered. */
	| { type: 'fleetRecalled'; computers: readonly RestoredComputer[] }
	/** What was kept of the time before, read back from the journal. */
	| { type: 'pastRecalled'; changes: readonly Change[]; samples: readonly CreditSample[] }
	/** All that was kept of one computer. */
	| { type: 'historyRecalled'; id: string; changes: readonly Change[] }
	/** `unreadable` tells how many more records it had: a computer that it does not name may be one. */
	| { type: 'listRead'; computers: readonly Reading[]; unreadable?: number }
	| { type: 'detailRead'; computer: Reading }
	| { type: 'statusRead'; computer: Reading }
	/** Asked for by its id, and the platform does not know it. */
	| { type: 'computerMissed'; id: string }
	/** It is tried again at `nextAt`, or as soon after that as the rate limits allow. */
	| { type: 'readFailed'; read: ReadName; id?: string; failure: Failure; nextAt?: number }
	| { type: 'creditsRead'; credits: Credits }
	| { type: 'subscriptionRead'; subscription: Subscription | null }
	| { type: 'releaseRead'; release: Release }
	| { type: 'modelsRead'; models: readonly Model[] }
	| { type: 'operationAsked'; wish: OperationSpec }
	| { type: 'operationSent'; key: string }
	/**
	 * The platform took it on; a create learns its computer here, with what the answer told of it, and
	 * a publish its port. Publish and unpublish are told so too, before they settle.
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
	/** No answer came: it may have been done or not, and is looked up. */
	| { type: 'operationUnknown'; key: string; failure: Failure }
	| { type: 'operationCancelled'; key: string }
	/** A person saw how it ended. */
	| { type: 'operationSeen'; key: string }
	| { type: 'paceChanged'; standings: RateLimitUsage }
	| { type: 'signedIn'; email?: string }
	| { type: 'signInFailed'; failure: Failure };

/**
 * Everything that happens is a fact: a small serialisable value in the past tense. Nothing else
 * changes the state.
 *
 * `at` is when it became known here: when the answer came, or when the person pressed the key.
 * `askedAt`, for what an answer told, is when its request went out (after its wait for the budget);
 * without it, `at` is taken. What the answer tells was so at some time between the two. So one answer
 * never replaces what another told that was asked for later, and what was asked for before the
 * platform took on an operation tells nothing about its end.
 *
 * ```
 *   list    asked ├───────────────────┤ answered: "active"     asked before the stop was
 *   stop             sent ├──────┤ accepted                    accepted, so it is not believed
 *   status                           asked ├──┤ "stopping"     believed
 * ```
 *
 * `every`, for what an answer told of computers, is how soon the same was meant to be read again then.
 */
export type Fact = { account: string; at: number; askedAt?: number; every?: number } & FactBody;
