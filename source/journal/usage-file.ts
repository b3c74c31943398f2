import { join } from 'node:path';
import { commonFactFields, type Fact, factTable } from '../fleet/fact.ts';
import * as v from '../foundation/schema.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { jsonFrom, validatorOf } from '../foundation/validate.ts';
import type { AccountState } from '../store/state.ts';
import { recalledUsageFrom, usageSpanMs } from '../store/usage-history.ts';
import { computersPerFact, factFileContents, joinedFact, replaceFactFile } from './fact-file.ts';
import { isOfNewerVersion, NewerVersionError, versionOf } from './file-version.ts';
import type { AccountFile } from './snapshot-writer.ts';
import { readStateData } from './state-file.ts';

// The CPU and memory of the last 30 minutes, in `usage-HASH.jsonl`, with a hash of the account:
//
//   {"version":1,"checksum":"1-0b6b4b5e"}
//   {"account":"…","at":…,"type":"usageRecalled","lastSlotAt":…,"computers":[ up to 500 ]}

type UsagePlace = { directory: string; account: string };

const pathOf = ({ directory, account }: UsagePlace): string =>
	join(directory, `usage-${shortHash(account)}.jsonl`);

const usageFactSchema = v.unionOf({ usageRecalled: factTable.usageRecalled }, commonFactFields);

type UsageFact = v.ValueOf<typeof usageFactSchema>;

const { isValid: isUsageFact } = validatorOf(usageFactSchema);

/** Returns the facts that restore the usage of the last 30 minutes, and the number of damaged lines. */
export function readUsage(
	place: UsagePlace,
	now: number,
): { facts: readonly Fact[]; damagedLineCount: number } {
	const path = pathOf(place);
	const { first, lines, isIntact } = factFileContents(readStateData(path));
	if (isOfNewerVersion(first)) throw new NewerVersionError(path);
	if (versionOf(first) === 0) return { facts: [], damagedLineCount: first === '' ? 0 : 1 };
	const facts = lines
		.map(line => jsonFrom(line))
		.filter((fact): fact is UsageFact => isIntact || isUsageFact(fact));
	const recent = facts.filter(
		({ account, lastSlotAt }) =>
			account === place.account && lastSlotAt > now - usageSpanMs && lastSlotAt <= now,
	);
	const isOfOneTime = recent.every(({ lastSlotAt }) => lastSlotAt === recent[0]?.lastSlotAt);
	return {
		facts: isOfOneTime ? joinedFact(recent) : recent,
		damagedLineCount: lines.length - facts.length,
	};
}

/** Returns the facts that restore the usage at the next start. */
function* usageFacts(accountKey: string, { usage }: AccountState, now: number): Iterable<Fact> {
	const ids = [...usage.computers.keys()];
	for (let place = 0; place < ids.length; place += computersPerFact) {
		const recalled = recalledUsageFrom(usage, ids.slice(place, place + computersPerFact));
		if (recalled) yield { account: accountKey, at: now, type: 'usageRecalled', ...recalled };
	}
}

// The file of ten thousand computers has a megabyte, so it is written only this often. A crash loses no more than
// this time.
const writeIntervalMs = 5 * 60_000;

export const usageFile: AccountFile = {
	writeIntervalMs,
	haveSame: (before, after) => before.usage === after.usage,
	write({ directory, account, state, now, closeFile }) {
		const facts = usageFacts(account, state, now);
		return replaceFactFile(directory, pathOf({ directory, account }), facts, {}, closeFile);
	},
};
