import { failureKind } from '../foundation/failure.ts';
import * as v from '../foundation/schema.ts';

const limitUsage = v.object({ used: v.count, limit: v.count });

/** For a line in a shell prompt, so it contains no text of the platform. */
export const fleetSummarySchema = v.object({
	readAt: v.optional(v.time),
	total: v.count,
	active: v.count,
	error: v.count,
	stopped: v.count,
	changing: v.count,
	unknown: v.count,
	behind: v.count,
	versionsNotRead: v.count,
	credits: v.optional(v.number),
	limits: v.optional(v.object({ reads: limitUsage, statuses: limitUsage })),
	trouble: v.optional(failureKind),
});

export type FleetSummary = v.ValueOf<typeof fleetSummarySchema>;
