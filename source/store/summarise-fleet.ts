import { changingPhases, isCountedPhase, type Phase } from '../fleet/computers/computer.ts';
import { isVersionNotRead } from '../fleet/computers/not-read.ts';
import { isOutdated } from '../fleet/computers/version.ts';
import type { ScopeUsage } from '../fleet/fact.ts';
import type { FleetSummary } from '../fleet/fleet-summary.ts';
import { unreachableCauseOf } from './freshness.ts';
import type { AccountState } from './state.ts';

export function fleetSummaryOf(account: AccountState, now: number): FleetSummary {
	const { computers, credits, reads, contact, release, standings } = account;
	const balance = credits?.balance;
	const trouble = unreachableCauseOf(account, now)?.streak.failure ?? reads.list?.failing?.failure;
	const readAt = reads.list?.answer?.at ?? contact?.fleetAt;
	return {
		...countsOf(computers, release?.version),
		readAt,
		credits: balance ?? undefined,
		limits: standings && {
			reads: usageOf(standings.other),
			statuses: usageOf(standings.status),
		},
		trouble: trouble?.kind,
	};
}

const usageOf = ({ spent: used, limit }: ScopeUsage) => ({ used, limit });

function countsOf(computers: AccountState['computers'], latest: string | undefined) {
	const counts = {
		total: 0,
		active: 0,
		error: 0,
		stopped: 0,
		changing: 0,
		unknown: 0,
		behind: 0,
		versionsNotRead: 0,
	};
	for (const computer of computers.values()) {
		const { phase, reading } = computer;
		if (!isCountedPhase(phase)) continue;
		counts.total += 1;
		if (changingPhases.includes(phase)) counts.changing += 1;
		else if (isSummedUp(phase)) counts[phase] += 1;
		if (isOutdated(reading.version, latest)) counts.behind += 1;
		if (isVersionNotRead(computer)) counts.versionsNotRead += 1;
	}
	return counts;
}

const isSummedUp = (phase: Phase) =>
	phase === 'active' || phase === 'error' || phase === 'stopped' || phase === 'unknown';
