import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { draftPathOf, removeOldDrafts } from '../accounts/private-file.ts';
import type { Fact } from '../fleet/fact.ts';
import { shortHash } from '../fleet/short-hash.ts';
import {
	fileVersion,
	isNewer,
	type LinesOwner,
	NewerVersionError,
	versionOf,
} from './file-version.ts';
import { snapshotFactFrom } from './snapshot.ts';
import { makePrivateFolder, readBeginning, readStateFile } from './state-file.ts';

// A snapshot, in `fleet-HASH.jsonl`, with a hash of the account:
//
//   {"version":1}
//   {"account":"…","at":…,"type":"creditsRead","credits":{…}}
//   {"account":"…","at":…,"type":"fleetRecalled","computers":[ up to 500 ]}
//
// It is written asynchronously, fact by fact, so that a large fleet does not block the keys.

type SnapshotOwner = LinesOwner & { directory: string };

type SnapshotContents = { facts: readonly Fact[]; damagedLineCount: number };

const emptyContents: SnapshotContents = { facts: [], damagedLineCount: 0 };

const pathOf = (directory: string, account: string): string =>
	join(directory, `fleet-${shortHash(account)}.jsonl`);

/** Returns whether a snapshot of this account exists that states its version. */
export async function hasSnapshot({ directory, account }: SnapshotOwner): Promise<boolean> {
	return versionOf(await readBeginning(pathOf(directory, account))) > 0;
}

/** Returns the facts that restore the last known fleet, and the number of damaged lines. */
export async function readSnapshot({
	directory,
	account,
	unversionedLines,
}: SnapshotOwner): Promise<SnapshotContents> {
	const path = pathOf(directory, account);
	const [first = '', ...lines] = linesOf(await readStateFile(path));
	if (isNewer(first)) throw new NewerVersionError(path);
	if (versionOf(first) > 0) return contentsFrom(lines, account);
	if (!unversionedLines) return emptyContents;
	const old = contentsFrom(
		linesOf(await readStateFile(pathOf(directory, unversionedLines.profileName))),
		unversionedLines.profileName,
	);
	// The file was always replaced as a whole, so its newest fact shows when it was written.
	const writtenAt = Math.max(...old.facts.map(({ at }) => at));
	if (writtenAt < unversionedLines.since) return emptyContents;
	return { ...old, facts: old.facts.map(fact => ({ ...fact, account })) };
}

function linesOf(text = ''): readonly string[] {
	return text.split('\n').filter(line => line !== '');
}

function contentsFrom(lines: readonly string[], account: string): SnapshotContents {
	const facts = lines.flatMap(line => snapshotFactFrom(line) ?? []);
	const ours = facts.filter(fact => fact.account === account);
	return { facts: ours, damagedLineCount: lines.length - facts.length };
}

/**
 * Replaces the snapshot in one step, so that a reader gets either the old or the new one. Returns its size in
 * bytes.
 */
export async function writeSnapshot(
	{ directory, account }: SnapshotOwner,
	facts: Iterable<Fact>,
): Promise<number> {
	const path = pathOf(directory, account);
	const draft = draftPathOf(path);
	await makePrivateFolder(directory);
	if (isNewer(await readBeginning(path))) throw new NewerVersionError(path);
	try {
		const bytes = await writeDraft(draft, facts);
		await rename(draft, path);
		removeOldDrafts(path);
		return bytes;
	} catch (error) {
		await unlink(draft).catch(() => undefined);
		throw error;
	}
}

async function writeDraft(draft: string, facts: Iterable<Fact>): Promise<number> {
	const file = await open(draft, 'wx', 0o600);
	try {
		await file.appendFile(`${JSON.stringify({ version: fileVersion })}\n`);
		for (const fact of facts) await file.appendFile(`${JSON.stringify(fact)}\n`);
		return (await file.stat()).size;
	} finally {
		await file.close();
	}
}
