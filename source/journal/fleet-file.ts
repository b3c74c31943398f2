import { join } from 'node:path';
import { readPrivately, writePrivately } from '../accounts/private-file.ts';
import { allPortsOf, type Reading } from '../fleet/computers/computer.ts';
import { commonFactFields, type Fact, factTable, type RestoredComputer } from '../fleet/fact.ts';
import { type Answered, accountReadNames, accountReadRows } from '../fleet/reads.ts';
import * as v from '../foundation/schema.ts';
import { isObject, jsonFrom, validatorOf } from '../foundation/schema.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { statusAnswerOf } from '../store/freshness.ts';
import type { AccountState } from '../store/state.ts';
import { type FleetSummary, fleetSummaryOf, fleetSummarySchema } from '../store/summarise-fleet.ts';

// The last known fleet of an account, in `fleet-HASH.json`:
//
//   {"version":1,"account":"…","summary":{"total":24,…},"facts":[{"type":"recalled",…},…]}

const formatVersion = 1;

const maxBytes = 64_000_000;

const pathOf = (directory: string, account: string): string =>
	join(directory, `fleet-${shortHash(account)}.json`);

export function writeFleet(
	directory: string,
	account: string,
	facts: readonly Fact[],
	summary?: FleetSummary,
): void {
	const text = JSON.stringify({ version: formatVersion, account, summary, facts });
	writePrivately(pathOf(directory, account), `${text}\n`, false);
}

export function keepFleet(
	directory: string,
	account: string,
	state: AccountState,
	now: number,
): void {
	writeFleet(directory, account, snapshotFacts(account, state, now), fleetSummaryOf(state, now));
}

export function readFleet(directory: string, account: string): readonly Fact[] {
	const facts = readFile(directory, account)?.['facts'];
	if (!Array.isArray(facts)) return [];
	return facts.filter(isSnapshotFact).filter(fact => fact.account === account);
}

const { isValid: isSummary } = validatorOf(fleetSummarySchema);

export function readFleetSummary(directory: string, account: string): FleetSummary | undefined {
	const summary = readFile(directory, account)?.['summary'];
	return isSummary(summary) ? summary : undefined;
}

function readFile(directory: string, account: string) {
	const file = jsonFrom(readPrivately(pathOf(directory, account), maxBytes) ?? '');
	const isOurs = isObject(file) && file['version'] === formatVersion && file['account'] === account;
	return isOurs ? file : undefined;
}

const keptReads = accountReadNames.filter(name => accountReadRows[name].isKept);

export function snapshotFacts(account: string, state: AccountState, now: number): readonly Fact[] {
	const answers = keptReads.flatMap((read): Fact[] => {
		const answered = { read, answer: state[read] } as Answered;
		const at = state.reads[read]?.answer?.at ?? now;
		return answered.answer === undefined ? [] : [{ account, at, type: 'answered', ...answered }];
	});
	const computers = [...state.computers.values()].map((computer): RestoredComputer => {
		const { reading, since, stopReason, statusReadFor } = computer;
		// The status may have changed while the answer was on its way.
		const seenAt = statusAnswerOf(state, computer)?.askedAt ?? now;
		return {
			reading: withoutSecretsAndUncertainPorts(reading),
			seenAt,
			since,
			stopReason,
			statusReadFor,
		};
	});
	const usage = [...state.usage.values()];
	const { samples, contact } = state;
	const listedAt = contact?.fleetAt;
	return [...answers, { account, at: now, type: 'recalled', computers, listedAt, samples, usage }];
}

// A share token is a secret, also within an address. The ports of this program may be gone at the next start.
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

const { recalled, answered } = factTable;

export const { isValid: isSnapshotFact } = validatorOf(
	v.unionOf({ recalled, answered }, commonFactFields),
);
