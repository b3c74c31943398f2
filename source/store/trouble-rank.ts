import { changingPhases } from '../fleet/computers/computer.ts';
import { hasUnknownOutcome, isUnsent } from '../fleet/operations/operation.ts';
import type { FleetRow } from './selectors.ts';

const ranks = { error: 0, unknown: 1, changing: 2, behind: 3, rest: 4, archived: 5 } as const;

export function troubleRankOf({ computer, operation, isOutdated }: FleetRow): number {
	const { phase, isMissing } = computer;
	if (operation && hasUnknownOutcome(operation)) return ranks.unknown;
	if (phase === 'error' || operation?.stage === 'failed') return ranks.error;
	if (phase === 'unknown' || isMissing || operation?.stage === 'unknown') return ranks.unknown;
	// While an operation counts down or is queued, its computer stays where the person chose it.
	if ((operation && !isUnsent(operation)) || changingPhases.includes(phase)) return ranks.changing;
	if (phase === 'archived') return ranks.archived;
	return isOutdated ? ranks.behind : ranks.rest;
}

export const isInTrouble = (row: FleetRow) => troubleRankOf(row) <= ranks.unknown;

const afterAllTimes = 1e14;

/** By rank, then computers in trouble by the time when it began, newest first. */
export function troubleOrderOf(row: FleetRow): number {
	const rank = troubleRankOf(row);
	return rank > ranks.unknown ? rank : rank - troubledSince(row) / afterAllTimes;
}

function troubledSince({ computer: { phase, since }, operation }: FleetRow): number {
	const isItsPhase = phase === 'error' || phase === 'unknown';
	const inPhaseSince = isItsPhase && !since.isLowerBound ? since.at : 0;
	const { endedAt = 0, sentAt = 0 } = operation ?? {};
	return Math.max(inPhaseSince, operation?.stage === 'unknown' ? sentAt : endedAt);
}
