import { failureKind } from '../foundation/failure.ts';
import * as v from '../foundation/schema.ts';

const limitUsage = v.object({ used: v.count, limit: v.count });

/** For a line in a shell prompt, so it contains no text of the platform. */
export const fleetSummarySchema = v.object({
	/** Absent if the list was never read. */
	readAt: v.optional(v.time),
	/** Without removed ones. */
	total: v.count,
	active: v.count,
	error: v.count,
	stopped: v.count,
	/** In a temporary phase, such as starting. */
	changing: v.count,
	/** In a status that this program does not know. */
	unknown: v.count,
	behind: v.count,
	versionsNotRead: v.count,
	credits: v.optional(v.number),
	/** Of the last minute. */
	limits: v.optional(v.object({ reads: limitUsage, statuses: limitUsage })),
	/** Absent while the platform answers. */
	trouble: v.optional(failureKind),
});

export type FleetSummary = v.ValueOf<typeof fleetSummarySchema>;
