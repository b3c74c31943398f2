import { existsSync } from 'node:fs';
import { allPortsOf, type Reading } from '../fleet/computers/computer.ts';
import {
	type AnswerFactName,
	commonFactFields,
	type Fact,
	type FactBody,
	factTable,
	type RestoredComputer,
} from '../fleet/fact.ts';
import type { FleetSummary } from '../fleet/fleet-summary.ts';
import * as v from '../foundation/schema.ts';
import type { Steps } from '../foundation/steps.ts';
import { jsonFrom, validatorOf } from '../foundation/validate.ts';
import { statusAnswerOf } from '../store/freshness.ts';
import type { AccountAnswerName, AccountState } from '../store/state.ts';
import { fleetSummaryOf } from '../store/summarise-fleet.ts';
import {
	type CloseFile,
	computersPerFact,
	factFileContents,
	joinedFact,
	replaceFactFile,
} from './fact-file.ts';
import { isOfNewerVersion, NewerVersionError, versionOf } from './file-version.ts';
import { snapshotPathOf } from './snapshot-summary.ts';
import type { AccountFile } from './snapshot-writer.ts';
import { readStateData } from './state-file.ts';

// A snapshot, in `fleet-HASH.jsonl`, with a hash of the account:
//
//   {"version":1,"checksum":"1-0b6b4b5e","summary":{"total":24,"active":17,…}}
//   {"account":"…","at":…,"type":"creditsRead","credits":{…}}
//   {"account":"…","at":…,"type":"fleetRecalled","computers":[ up to 500 ]}

type SnapshotOwner = { account: string; directory: string };

type SnapshotContents = { facts: readonly Fact[]; damagedLineCount: number };

/** Returns the facts that restore the last known fleet, and the number of damaged lines. */
export async function readSnapshot({
	directory,
	account,
}: SnapshotOwner): Promise<SnapshotContents> {
	const path = snapshotPathOf(directory, account);
	const { first, lines, isIntact } = factFileContents(readStateData(path));
	if (isOfNewerVersion(first)) throw new NewerVersionError(path);
	if (versionOf(first) === 0) return { facts: [], damagedLineCount: 0 };
	const facts = lines.flatMap(line => snapshotFactFrom(line, isIntact) ?? []);
	const ours = facts.filter(fact => fact.account === account);
	const fleet = ours.filter(fact => fact.type === 'fleetRecalled');
	const others = ours.filter(fact => fact.type !== 'fleetRecalled');
	return {
		facts: [...others, ...joinedFact(fleet)],
		damagedLineCount: lines.length - facts.length,
	};
}

/** Replaces the snapshot. Returns its size in bytes. */
export function writeSnapshot(
	{ directory, account }: SnapshotOwner,
	facts: Iterable<Fact>,
	summary?: FleetSummary,
	closeFile?: CloseFile,
): Steps<number> {
	const path = snapshotPathOf(directory, account);
	return replaceFactFile(directory, path, facts, summary && { summary }, closeFile);
}

/** Returns the fact that restores each answer about the account. A snapshot leaves out the models. */
const accountFacts: Readonly<
	Record<Exclude<AccountAnswerName, 'models'>, (account: AccountState) => FactBody | undefined>
> = {
	subscription: ({ subscription }) =>
		subscription === undefined ? undefined : { type: 'subscriptionRead', subscription },
	release: ({ release }) => release && { type: 'releaseRead', release },
	credits: ({ credits }) => credits && { type: 'creditsRead', credits },
};

const accountFactNames = Object.keys(accountFacts) as readonly (keyof typeof accountFacts)[];

/**
 * Whether both states have the same snapshot. A newer answer also makes a difference, so that the snapshot stays
 * recent.
 */
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
				const { reading, since, stopReason, statusReadFor } = computer;
				// The status may have changed after the request, while the answer was on its way.
				const seenAt = statusAnswerOf(account, computer)?.askedAt ?? now;
				return {
					reading: withoutSecretsAndUncertainPorts(reading),
					seenAt,
					since,
					...(stopReason && { stopReason }),
					...(statusReadFor !== undefined && { statusReadFor }),
				};
			});
		yield { account: accountKey, at: now, type: 'fleetRecalled', computers };
	}
}

// A share token is a secret, both on its own and within an address, so it is never written to disk. If the full
// list of ports is not known, the ports are dropped: those that this program published itself may no longer
// exist at the next start.
function withoutSecretsAndUncertainPorts(reading: Reading): Reading {
	const { ports } = reading;
	if (ports && !allPortsOf(reading)) {
		const { ports: _, ...rest } = reading;
		return rest;
	}
	if (!ports?.some(({ shareToken }) => shareToken)) return reading;
	const withoutTokens = ports.map(({ port, url, shareToken }) =>
		url === undefined || (shareToken && url.includes(shareToken)) ? { port } : { port, url },
	);
	return { ...reading, ports: withoutTokens };
}

const snapshotFactTable = Object.fromEntries(
	(['fleetRecalled', ...accountFactNames.map(name => `${name}Read` as const)] as const).map(
		type => [type, factTable[type]],
	),
) as Pick<typeof factTable, 'fleetRecalled' | AnswerFactName<keyof typeof accountFacts>>;

const { isValid: isSnapshotFact } = validatorOf(v.unionOf(snapshotFactTable, commonFactFields));

/**
 * Returns the fact in a line; undefined if the line is damaged, or contains a fact that snapshots do not store. An intact
 * line is as a program of this form wrote it.
 */
export function snapshotFactFrom(line: string, isIntact = false): Fact | undefined {
	const value = jsonFrom(line);
	return isIntact || isSnapshotFact(value) ? (value as Fact) : undefined;
}

export const snapshotFile: AccountFile = {
	writeIntervalMs: 30_000,
	// A process that starts without a snapshot cannot notice changes from before its first answer.
	isMissing: (directory, account) => !existsSync(snapshotPathOf(directory, account)),
	haveSame: haveSameSnapshot,
	write: ({ directory, account, state, now, closeFile }) =>
		writeSnapshot(
			{ directory, account },
			snapshotFacts(account, state, now),
			fleetSummaryOf(state, now),
			closeFile,
		),
};
