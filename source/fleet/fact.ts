import { failureSchema } from '../foundation/failure.ts';
import * as v from '../foundation/schema.ts';
import { changeSchema, noteSchema } from './change.ts';
import { publishedPort, readingSchema } from './computers/computer.ts';
import { creditSampleSchema } from './computers/runway.ts';
import { stopReasonSchema } from './computers/stop-reason.ts';
import { phaseStartSchema } from './computers/uptime.ts';
import {
	type Operation,
	type OperationSpec,
	operationSpecFields,
	operationSteps,
} from './operations/operation.ts';
import { builtInOperationIds } from './operations/operation-table.ts';
import {
	type AccountReadName,
	type Answers,
	accountReadNames,
	accountReadRows,
	computerReadNames,
	readNames,
	readShareNames,
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
	spent: v.number,
	frozenUntil: v.optional(v.time),
	nextReadAt: v.optional(v.time),
	nextOperationAt: v.optional(v.time),
	elsewhere: v.optional(v.number),
});

export type ScopeUsage = v.ValueOf<typeof scopeUsage>;

const rateLimitUsage = v.object({ create: scopeUsage, status: scopeUsage, other: scopeUsage });

export type RateLimitUsage = v.ValueOf<typeof rateLimitUsage>;

/** A computer that is missing from a list may be among its unreadable records, hidden by a repeated id, or not read. */
export const listNotes = {
	unreadable: v.optional(v.number),
	repeated: v.optional(v.number),
	isCut: v.optional(v.boolean),
};

export type ListNotes = { unreadable?: number; repeated?: number; isCut?: boolean };

const restoredComputer = v.object({
	reading: readingSchema,
	seenAt: v.time,
	since: v.optional(phaseStartSchema),
	stopReason: v.optional(stopReasonSchema),
	/** See `ComputerState`: a status that was read is not read again after a restart. */
	statusReadFor: v.optional(v.word),
});

export type RestoredComputer = v.ValueOf<typeof restoredComputer>;

/** In the slots of time up to the last one, oldest first; null where nothing was read. */
const percentages = v.listOf(v.nullable(v.percent));

const computerUsage = v.object({
	id: v.id,
	lastSlot: v.count,
	busySlot: v.optional(v.count),
	/** The first since which every reading of the CPU was low, without a gap. */
	quietSlot: v.optional(v.count),
	cpu: percentages,
	memory: percentages,
});

export type ComputerUsage = v.ValueOf<typeof computerUsage>;

export const factTable = {
	recalled: {
		computers: v.optional(v.listOf(restoredComputer)),
		/** When the list of these computers was complete. Some may have been read by id since. */
		listedAt: v.optional(v.time),
		changes: v.optional(v.listOf(changeSchema)),
		samples: v.optional(v.listOf(creditSampleSchema)),
		usage: v.optional(v.listOf(computerUsage)),
		history: v.optional(v.object({ id: v.id, changes: v.listOf(changeSchema) })),
	},
	listRead: { computers: v.listOf(readingSchema), ...listNotes },
	computerRead: {
		read: v.oneOf(computerReadNames),
		computer: readingSchema,
		isMissing: v.optional(v.boolean),
	},
	answered: answers,
	readFailed: {
		read: v.oneOf(readNames),
		id: v.optional(v.id),
		failure: failureSchema,
		nextAt: v.optional(v.time),
	},
	/** It says all that other processes know of the operation, so the latest one is enough. */
	operationChanged: {
		...operationSpecFields,
		step: v.oneOf(operationSteps),
		times: v.object({
			asked: v.time,
			until: v.optional(v.time),
			sent: v.optional(v.time),
			accepted: v.optional(v.time),
			ended: v.optional(v.time),
		}),
		failure: v.optional(failureSchema),
		skipped: v.optional(v.count),
		abandonedBy: v.optional(v.word),
		reading: v.optional(readingSchema),
		published: v.optional(publishedPort),
	},
	limitsChanged: { standings: rateLimitUsage },
	signInTried: { email: v.optional(v.word), failure: v.optional(failureSchema) },
	/** Without either field, this process watches alone. */
	watchShared: { leader: v.optional(v.word), followers: v.optional(v.count) },
	/** The pane that polls applies the latest choice. */
	shareChosen: { share: v.oneOf(readShareNames), chosenAt: v.time },
	/** If it has ended, the recorder of this host follows its operations. Otherwise it may return. */
	paneLeft: { left: v.word, hasEnded: v.optional(v.boolean) },
	/** What an assistant asks a person to do, and later what the person did with it. */
	proposed: {
		key: v.word,
		operation: v.oneOf(builtInOperationIds),
		outcome: v.optional(v.oneOf(['opened', 'dismissed'])),
		computers: v.optional(v.listOf(v.id)),
		port: v.optional(v.port),
		name: v.optional(v.word),
	},
	changeNoted: { change: noteSchema },
};

export type FactBody = v.UnionOf<typeof factTable>;

export const commonFactFields = {
	account: v.word,
	at: v.time,
	askedAt: v.optional(v.time),
	every: v.optional(v.number),
	pane: v.optional(v.word),
};

const commonFields = v.object(commonFactFields);

/**
 * Only facts change the state. They are written to disk, so their field names never change.
 *
 * An answer was true at some time between `askedAt` and `at`. So it never replaces one whose request was sent later, and
 * says nothing about the outcome of an operation that the platform accepted later.
 *
 * ```
 *   list    asked ├───────────────────┤ answered: "active"     asked before the stop was
 *   stop             sent ├──────┤ accepted                    accepted, so it is not believed
 *   status                           asked ├──┤ "stopping"     believed
 * ```
 *
 * `every` is the planned interval until the next such answer. `pane` is the process that produced the fact; absent for
 * this one.
 */
export type Fact = FactBody & v.ValueOf<typeof commonFields>;

/** A new follower receives the histories that the leader has, once. */
type FactAudience = 'newFollowers' | 'followers' | 'panes' | 'none';

export const audienceByFact: Readonly<Record<Fact['type'], FactAudience>> = {
	recalled: 'newFollowers',
	listRead: 'followers',
	computerRead: 'followers',
	answered: 'followers',
	readFailed: 'followers',
	operationChanged: 'panes',
	limitsChanged: 'followers',
	signInTried: 'followers',
	watchShared: 'none',
	shareChosen: 'panes',
	paneLeft: 'followers',
	proposed: 'panes',
	changeNoted: 'followers',
};

export type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>;

export type OperationChanged = Extract<FactBody, { type: 'operationChanged' }>;

export function operationFact(operation: Operation): OperationChanged {
	const { spec, stage, failure, skipped, abandonedAt, pane } = operation;
	return {
		type: 'operationChanged',
		...spec,
		step: stage,
		times: {
			asked: operation.askedAt,
			until: operation.countdownEndsAt,
			sent: operation.sentAt,
			accepted: operation.acceptedAt,
			ended: operation.endedAt,
		},
		failure,
		skipped,
		abandonedBy: abandonedAt === undefined ? undefined : pane,
	};
}

export function specOf(fact: OperationSpec): OperationSpec {
	const { key, operation, computer, name, port, version, batch } = fact;
	return { key, operation, computer, name, port, version, batch };
}
