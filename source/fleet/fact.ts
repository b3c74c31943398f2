import { failureSchema } from '../foundation/failure.ts';
import * as v from '../foundation/schema.ts';
import { accountEvents, changeSchema } from './change.ts';
import { publishedPort, readingSchema } from './computers/computer.ts';
import { listNotes } from './computers/list-notes.ts';
import { creditSampleSchema } from './computers/runway.ts';
import { stopReasonSchema } from './computers/stop-reason.ts';
import { phaseStartSchema } from './computers/uptime.ts';
import { operationSpecFields, operationSteps } from './operations/operation.ts';
import { readShareNames } from './operations/preferences.ts';
import {
	type AccountReadName,
	type Answers,
	accountReadNames,
	accountReadRows,
	readNames,
} from './reads.ts';

/** The fields of each answer about the account, by the name of the read. */
const answers = accountReadNames.map(read => ({
	read: v.literal(read),
	answer: accountReadRows[read].answer,
})) as unknown as readonly {
	[Name in AccountReadName]: {
		read: v.LiteralSchema<Name>;
		answer: v.GenericSchema<Answers[Name]>;
	};
}[AccountReadName][];

const scopeUsage = v.object({
	limit: v.number,
	/** How many requests count against the limit now, from this program and from other clients. */
	spent: v.number,
	frozenUntil: v.optional(v.time),
	/**
	 * Whether this process cannot see the requests of other processes. If so, it uses only a part of the platform's
	 * limit.
	 */
	isAlone: v.optional(v.boolean),
	/** When the next read may be sent; absent if a read may be sent now. */
	nextReadAt: v.optional(v.time),
	/** When the next operation may be sent; absent if an operation may be sent now. */
	nextOperationAt: v.optional(v.time),
	/** How many of the requests came from other clients; absent if none did. */
	elsewhere: v.optional(v.number),
});

/** How much of one rate limit is used. */
export type ScopeUsage = v.ValueOf<typeof scopeUsage>;

const rateLimitUsage = v.object({ create: scopeUsage, status: scopeUsage, other: scopeUsage });

export type RateLimitUsage = v.ValueOf<typeof rateLimitUsage>;

const restoredComputer = v.object({
	reading: readingSchema,
	/** The time at which the status was last requested and then answered. */
	seenAt: v.time,
	since: v.optional(phaseStartSchema),
	stopReason: v.optional(stopReasonSchema),
	/** See `ComputerState`: a status that was read is not read again after a restart. */
	statusReadFor: v.optional(v.word),
});

/** One computer in the snapshot of an earlier run. */
export type RestoredComputer = v.ValueOf<typeof restoredComputer>;

/** The CPU and memory of computers in the slots up to the one that begins at `lastSlotAt`, oldest first; see `UsageHistory`. */
const recalledUsage = v.object({
	lastSlotAt: v.time,
	computers: v.listOf(v.object({ id: v.id, cpu: v.listOf(v.count), memory: v.listOf(v.count) })),
});

export type RecalledUsage = v.ValueOf<typeof recalledUsage>;

/** The fields of each type of fact, besides those that all facts have. */
export const factTable = {
	/** What earlier runs knew was loaded. It is shown until the platform has answered. */
	recalled: {
		computers: v.optional(v.listOf(restoredComputer)),
		/** The changes and credit samples of the journal. */
		changes: v.optional(v.listOf(changeSchema)),
		samples: v.optional(v.listOf(creditSampleSchema)),
		usage: v.optional(recalledUsage),
		/** All changes of one computer. */
		history: v.optional(v.object({ id: v.id, changes: v.listOf(changeSchema) })),
	},
	listRead: { computers: v.listOf(readingSchema), ...listNotes },
	statusRead: { computer: readingSchema },
	detailRead: { computer: readingSchema },
	/** A read about the account was answered. */
	answered: answers,
	/** A read by id returned that there is no such computer. */
	computerMissed: { id: v.id },
	/** A read failed. The next try is at `nextAt`, or as soon afterwards as the rate limits allow. */
	readFailed: {
		read: v.oneOf(readNames),
		id: v.optional(v.id),
		failure: failureSchema,
		nextAt: v.optional(v.time),
	},
	/**
	 * An operation has taken a step; see `Operation`. The fact says all that other processes know of the operation, so a
	 * process that receives only the latest one knows as much as all others. `seen` says that a person has seen how the
	 * operation failed.
	 */
	operationChanged: {
		...operationSpecFields,
		step: v.oneOf(operationSteps),
		times: v.object({
			asked: v.time,
			/** When the countdown ends, while it runs, or the milliseconds that are left of it while it is held. */
			until: v.optional(v.time),
			left: v.optional(v.number),
			sent: v.optional(v.time),
			accepted: v.optional(v.time),
			/** When the operation ended, or when its response was lost. */
			ended: v.optional(v.time),
		}),
		/** Why the operation failed, or why its outcome is not known. */
		failure: v.optional(failureSchema),
		skipped: v.optional(v.count),
		/** The process that sent the request and has ended, so that another one tells of the operation. */
		abandonedBy: v.optional(v.word),
		/** The new computer, in the response to a create. */
		reading: v.optional(readingSchema),
		/** The port in the response to a publish. */
		published: v.optional(publishedPort),
	},
	limitsChanged: { standings: rateLimitUsage },
	signedIn: { email: v.optional(v.email) },
	signInFailed: { failure: failureSchema },
	/** A person took the account out of the table, so nothing more is known about it. */
	accountClosed: {},
	/**
	 * Another process (`leader`) polls for this process, or this process polls for `followers`. Without either field,
	 * this process watches alone.
	 */
	watchShared: { leader: v.optional(v.word), followers: v.optional(v.count) },
	/**
	 * A person chose how much of the rate limits reads may use. Each pane of the account shows the latest choice, and
	 * the pane that polls applies it.
	 */
	shareChosen: { share: v.oneOf(readShareNames), chosenAt: v.time },
	/**
	 * A process no longer shares its operations. If the process has ended, the recorder of this host follows the
	 * operations that the process sent. Otherwise the process still runs, and shares its operations again when it
	 * returns.
	 */
	paneLeft: { left: v.word, hasEnded: v.optional(v.boolean) },
	/** The account as a whole is down or up again, or its credits are low or enough again. */
	accountNoted: { event: v.oneOf(accountEvents), message: v.optional(v.text) },
	/** A program that the configuration runs after changes failed. */
	hookFailed: { hook: v.text, message: v.text },
};

export type FactBody = v.UnionOf<typeof factTable>;

/** The fields that all facts have. */
export const commonFactFields = {
	account: v.account,
	at: v.time,
	askedAt: v.optional(v.time),
	every: v.optional(v.number),
	pane: v.optional(v.word),
};

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
 * `every` is the planned interval until the next answer of this kind, for answers about computers. `pane` is the
 * id of the process that produced the fact; absent for this process.
 */
export type Fact = FactBody & {
	account: string;
	at: number;
	askedAt?: number;
	every?: number;
	pane?: string;
};
