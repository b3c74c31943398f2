import { join } from 'node:path';
import { type FleetSummary, fleetSummarySchema } from '../fleet/fleet-summary.ts';
import * as v from '../foundation/schema.ts';
import { shortHash } from '../foundation/short-hash.ts';
import { jsonFrom, validatorOf } from '../foundation/validate.ts';
import { isOfNewerVersion } from './file-version.ts';
import { readBeginning } from './state-file.ts';

// The first line of a snapshot sums it up, so that a shell prompt does not wait until ten thousand computers are read.

/** The file of the snapshot of an account. */
export const snapshotPathOf = (directory: string, account: string): string =>
	join(directory, `fleet-${shortHash(account)}.jsonl`);

const headerSchema = v.object({ version: v.number, summary: fleetSummarySchema });

const { isValid: isHeader } = validatorOf(headerSchema);

// The first bytes of the file that are read for the summary, which is far shorter.
const maxHeaderBytes = 2_000;

/** Returns the numbers in the first line of a snapshot; undefined if there are none, as in an earlier version's file. */
export function readSnapshotSummary(directory: string, account: string): FleetSummary | undefined {
	const [first = ''] = readBeginning(snapshotPathOf(directory, account), maxHeaderBytes).split(
		'\n',
	);
	const header = isOfNewerVersion(first) ? undefined : jsonFrom(first);
	return isHeader(header) ? header.summary : undefined;
}
