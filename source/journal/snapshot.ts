import { allPortsOf, type Reading } from '../fleet/computer.ts';
import {
	commonFactFields,
	type Fact,
	type FactBody,
	factTable,
	type ReadName,
	type RestoredComputer,
} from '../fleet/fact.ts';
import * as v from '../fleet/schema.ts';
import { jsonFrom, validatorOf } from '../fleet/validate.ts';
import { statusAnswerOf } from '../store/answer-times.ts';
import type { AccountState } from '../store/state.ts';

// The largest number of computers in one fact. Serialising this many takes less time than a frame.
const computersPerFact = 500;

type AccountFact = (account: AccountState) => FactBody | undefined;

// The answers about the account that a snapshot contains.
const accountFacts = {
	subscription: ({ subscription }) =>
		subscription === undefined ? undefined : { type: 'subscriptionRead', subscription },
	release: ({ release }) => release && { type: 'releaseRead', release },
	credits: ({ credits }) => credits && { type: 'creditsRead', credits },
} satisfies { [Name in ReadName & keyof AccountState]?: AccountFact };

const accountFactNames = Object.keys(accountFacts) as readonly (keyof typeof accountFacts)[];

/** Whether both states have the same snapshot. The times of the answers count, so that a snapshot stays recent. */
export function haveSameSnapshot(before: AccountState, after: AccountState): boolean {
	const names = ['computers', 'computerReads', 'reads', ...accountFactNames] as const;
	return names.every(name => before[name] === after[name]);
}

/** Returns the facts that restore an account at the next start. */
export function* snapshotFacts(
	accountKey: string,
	account: AccountState,
	now: number,
): Iterable<Fact> {
	for (const read of accountFactNames) {
		const fact = accountFacts[read](account);
		if (fact) yield { account: accountKey, at: account.reads[read]?.answer?.at ?? now, ...fact };
	}
	const all = [...account.computers.values()];
	for (let place = 0; place < all.length; place += computersPerFact) {
		const computers = all
			.slice(place, place + computersPerFact)
			.map((computer): RestoredComputer => {
				const { reading, since, stopReason } = computer;
				const seenAt = statusAnswerOf(account, computer)?.at ?? now;
				const kept = { reading: withoutSecretsAndUncertainPorts(reading), seenAt, since };
				return stopReason ? { ...kept, stopReason } : kept;
			});
		yield { account: accountKey, at: now, type: 'fleetRecalled', computers };
	}
}

// A share token is a secret, both on its own and within an address, so it is never written to disk. If the full
// list of ports is not known, the ports are dropped: those that this program published itself may no longer
// exist at the next start.
function withoutSecretsAndUncertainPorts(reading: Reading): Reading {
	const { ports, ...rest } = reading;
	if (ports && !allPortsOf(reading)) return rest;
	if (!ports?.some(({ shareToken }) => shareToken)) return reading;
	const withoutTokens = ports.map(({ port, url, shareToken }) => ({
		port,
		...(url !== undefined && !(shareToken && url.includes(shareToken)) && { url }),
	}));
	return { ...reading, ports: withoutTokens };
}

const { fleetRecalled, subscriptionRead, releaseRead, creditsRead } = factTable;

const { isValid: isSnapshotFact } = validatorOf(
	v.unionOf({ fleetRecalled, subscriptionRead, releaseRead, creditsRead }, commonFactFields),
);

/**
 * Returns the fact in a line; undefined if the line is damaged, or contains a fact that snapshots do not store.
 */
export function snapshotFactFrom(line: string): Fact | undefined {
	const value = jsonFrom(line);
	return isSnapshotFact(value) ? value : undefined;
}
