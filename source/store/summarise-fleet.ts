import { changingPhases } from '../fleet/computers/computer.ts';
import type { ScopeUsage } from '../fleet/fact.ts';
import { failureKind } from '../foundation/failure.ts';
import * as v from '../foundation/schema.ts';
import { unreachableCauseOf } from './freshness.ts';
import { countsOf, rowsOf } from './selectors.ts';
import type { AccountState } from './state.ts';

const limitUsage = v.object({ used: v.count, limit: v.count });

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

export function fleetSummaryOf(account: AccountState, now: number): FleetSummary {
	const { credits, reads, contact, standings } = account;
	const { total, phases, behind, versions } = countsOf(rowsOf('', account));
	const { active = 0, error = 0, stopped = 0, unknown = 0 } = phases;
	const trouble = unreachableCauseOf(account, now)?.streak.failure ?? reads.list?.failing?.failure;
	return {
		total,
		active,
		error,
		stopped,
		changing: changingPhases.reduce((sum, phase) => sum + (phases[phase] ?? 0), 0),
		unknown,
		behind,
		versionsNotRead: versions?.notRead ?? 0,
		readAt: reads.list?.answer?.at ?? contact?.fleetAt,
		credits: credits?.balance ?? undefined,
		limits: standings && {
			reads: usageOf(standings.other),
			statuses: usageOf(standings.status),
		},
		trouble: trouble?.kind,
	};
}

const usageOf = ({ spent: used, limit }: ScopeUsage) => ({ used, limit });
