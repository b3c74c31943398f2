import { mergeChanges } from '../fleet/change.ts';
import { phaseOf } from '../fleet/computers/computer.ts';
import { mergeSamples } from '../fleet/computers/runway.ts';
import type { Fact, RestoredComputer } from '../fleet/fact.ts';
import { latestChanges } from './change-log.ts';
import type { AccountState, ComputerState } from './state.ts';

/** Folds a snapshot, so that the fleet of an earlier run is shown until the first answers come. */
export function foldFleetRecalled(
	account: AccountState,
	{ computers: recalled }: Extract<Fact, { type: 'fleetRecalled' }>,
): AccountState {
	const missing = recalled.filter(({ reading }) => !account.computers.has(reading.id));
	if (account.reads.list?.answer || missing.length === 0) return account;
	const computers = new Map(account.computers);
	const sights = new Map(account.computerReads);
	for (const each of missing) {
		computers.set(each.reading.id, computerFrom(each));
		sights.set(each.reading.id, { restoredFrom: each.seenAt });
	}
	const times = missing.map(({ seenAt }) => seenAt);
	const { contact } = account;
	const latest = times.reduce((a, b) => Math.max(a, b), contact?.fleetAt ?? -Infinity);
	return {
		...account,
		computers,
		computerReads: sights,
		contact: {
			since: times.reduce((a, b) => Math.min(a, b), contact?.since ?? Infinity),
			lastAnswerAt: Math.max(latest, contact?.lastAnswerAt ?? -Infinity),
			fleetAt: latest,
		},
	};
}

function computerFrom({ reading, seenAt, since, stopReason }: RestoredComputer): ComputerState {
	return {
		id: reading.id,
		reading,
		phase: phaseOf(reading.status),
		since: since ?? { at: seenAt, isLowerBound: true },
		listed: 'absent',
		...(stopReason && { stopReason }),
		isMissing: false,
	};
}

/**
 * Folds the changes and credit samples of earlier runs. They are placed before those of this run, without
 * duplicates.
 */
export function foldPastRestored(
	account: AccountState,
	{ at, changes, samples }: Extract<Fact, { type: 'pastRecalled' }>,
): AccountState {
	return {
		...account,
		changes: latestChanges(mergeChanges(changes, account.changes)),
		samples: mergeSamples(
			samples.filter(sample => sample.at <= at),
			account.samples,
		),
	};
}
