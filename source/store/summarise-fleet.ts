import { changingPhases } from '../fleet/computers/computer.ts';
import type { ScopeUsage } from '../fleet/fact.ts';
import type { FleetSummary } from '../fleet/fleet-summary.ts';
import { unreachableCauseOf } from './freshness.ts';
import { createCountsSelector, createRowsSelector } from './selectors.ts';
import type { AccountState } from './state.ts';

export function fleetSummaryOf(account: AccountState, now: number): FleetSummary {
	const { credits, reads, contact, standings } = account;
	const rows = createRowsSelector('')(account);
	const { total, phases, outdated, versions } = createCountsSelector()(rows);
	const { active = 0, error = 0, stopped = 0, unknown = 0 } = phases;
	const trouble = unreachableCauseOf(account, now)?.streak.failure ?? reads.list?.failing?.failure;
	return {
		total,
		active,
		error,
		stopped,
		changing: changingPhases.reduce((sum, phase) => sum + (phases[phase] ?? 0), 0),
		unknown,
		behind: outdated,
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
