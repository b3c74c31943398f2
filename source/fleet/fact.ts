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
	/** From this program and from other clients. */
	spent: v.number,
	frozenUntil: v.optional(v.time),
	/** This process cannot see the requests of others, so it uses only a part of the limit. */
	isAlone: v.optional(v.boolean),
	/** Absent if one may be sent now. */
	nextReadAt: v.optional(v.time),
	nextOperationAt: v.optional(v.time),
	/** How many of the requests came from other clients; absent if none did. */
	elsewhere: v.optional(v.number),
});

export type ScopeUsage = v.ValueOf<typeof scopeUsage>;

const rateLimitUsage = v.object({ create: scopeUsage, status: scopeUsage, other: scopeUsage });

export type RateLimitUsage = v.ValueOf<typeof rateLimitUsage>;

const restoredComputer = v.object({
	reading: readingSchema,
	/** When the status was last requested and then answered. */
	seenAt: v.time,
	since: v.optional(phaseStartSchema),
	stopReason: v.optional(stopReasonSchema),
	/** See `ComputerState`: a status that was read is not read again after a restart. */
	statusReadFor: v.optional(v.word),
});

export type RestoredComputer = v.ValueOf<typeof restoredComputer>;

/** The CPU and memory of computers in the slots up to the one that begins at `lastSlotAt`, oldest first; see `UsageHistory`. */
const recalledUsage = v.object({
	lastSlotAt: v.time,
	computers: v.listOf(v.object({ id: v.id, cpu: v.listOf(v.count), memory: v.listOf(v.count) })),
});

export type RecalledUsage = v.ValueOf<typeof recalledUsage>;

export const factTable = {
	/** Shown until the platform has answered. */
	recalled: {
		computers: v.optional(v.listOf(restoredComputer)),
		changes: v.optional(v.listOf(changeSchema)),
		samples: v.optional(v.listOf(creditSampleSchema)),
		usage: v.optional(recalledUsage),
		/** All changes of one computer. */
		history: v.optional(v.object({ id: v.id, changes: v.listOf(changeSchema) })),
	},
	listRead: { computers: v.listOf(readingSchema), ...listNotes },
	statusRead: { computer: readingSchema },
	detailRead: { computer: readingSchema },
	answered: answers,
	/** A read by id returned that there is no such computer. */
	computerMissed: { id: v.id },
	/** The next try is at `nextAt`, or as soon afterwards as the rate limits allow. */
	readFailed: {
		read: v.oneOf(readNames),
		id: v.optional(v.id),
		failure: failureSchema,
		nextAt: v.optional(v.time),
	},
	/**
	 * The fact says all that other processes know of the operation, so a process that receives only the latest one knows as
	 * much as all others. `seen` says that a person has seen how the operation failed.
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
		failure: v.optional(failureSchema),
		skipped: v.optional(v.count),
		/** The process that sent the request and has ended, so that another one tells of the operation. */
		abandonedBy: v.optional(v.word),
		/** In the response to a create. */
		reading: v.optional(readingSchema),
		/** In the response to a publish. */
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
	/** Each pane of the account shows the latest choice, and the pane that polls applies it. */
	shareChosen: { share: v.oneOf(readShareNames), chosenAt: v.time },
	/**
	 * A process no longer shares its operations. If the process has ended, the recorder of this host follows the
	 * operations that the process sent. Otherwise the process still runs, and shares its operations again when it
	 * returns.
	 */
	paneLeft: { left: v.word, hasEnded: v.optional(v.boolean) },
	accountNoted: { event: v.oneOf(accountEvents), message: v.optional(v.text) },
	hookFailed: { hook: v.text, message: v.text },
};

export type FactBody = v.UnionOf<typeof factTable>;

export const commonFactFields = {
	account: v.account,
	at: v.time,
	askedAt: v.optional(v.time),
	every: v.optional(v.number),
	pane: v.optional(v.word),
};

/**
 * Only facts change the state. They are written to disk, so their field names never change.
 *
 * `at` is the time at which the program learned the fact. `askedAt` is the time at which the request was sent; if absent,
 * `at` counts. The answer was true at some time in between. So it never replaces one whose request was sent later, and
 * says nothing about the outcome of an operation that the platform accepted later.
 *
 * ```
 *   list    asked ├───────────────────┤ answered: "active"     asked before the stop was
 *   stop             sent ├──────┤ accepted                    accepted, so it is not believed
 *   status                           asked ├──┤ "stopping"     believed
 * ```
 *
 * `every` is the planned interval until the next answer of this kind, for answers about computers. `pane` is the id of
 * the process that produced the fact; absent for this process.
 */
export type Fact = FactBody & {
	account: string;
	at: number;
	askedAt?: number;
	every?: number;
	pane?: string;
};
