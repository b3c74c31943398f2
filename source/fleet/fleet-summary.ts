import { failureKind } from '../foundation/failure.ts';
import * as v from '../foundation/schema.ts';

const limitUsage = v.object({ used: v.count, limit: v.count });

/** The fleet of an account in a few numbers, for a line in a shell prompt. It contains no text of the platform. */
export const fleetSummarySchema = v.object({
	/** When the list of computers was last read; absent if it never was. */
	readAt: v.optional(v.time),
	/** How many computers there are, without removed ones. */
	total: v.count,
	active: v.count,
	error: v.count,
	stopped: v.count,
	/** How many computers are in a temporary phase, such as starting. */
	changing: v.count,
	/** How many computers have a status that this program does not know. */
	unknown: v.count,
	/** How many computers are behind the latest version. */
	behind: v.count,
	/** How many computers have a version that nobody has read yet. */
	versionsNotRead: v.count,
	credits: v.optional(v.number),
	/** How many requests of the last minute count against the limits of reads and of statuses. */
	limits: v.optional(v.object({ reads: limitUsage, statuses: limitUsage })),
	/** Why the platform cannot be read; absent while it answers. */
	trouble: v.optional(failureKind),
});

export type FleetSummary = v.ValueOf<typeof fleetSummarySchema>;
