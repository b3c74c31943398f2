import { open, rename, unlink } from 'node:fs/promises';
import { draftPathOf, removeOldDrafts } from '../accounts/private-file.ts';
import type { Fact } from '../fleet/fact.ts';
import { fileVersion, isOfNewerVersion, NewerVersionError } from './file-version.ts';
import { makePrivateFolder, readBeginning } from './state-file.ts';

/** The largest number of computers in one fact. Serialising this many takes less time than a frame. */
export const computersPerFact = 500;

/**
 * Joins the parts of a fact that a file contains in several lines. The store copies all computers for each fact, so
 * folding the parts one by one would take several times as long.
 */
export function joinedFact<F extends { computers: readonly unknown[] }>(
	facts: readonly F[],
): readonly F[] {
	const [first, ...others] = facts;
	if (!first || others.length === 0) return facts;
	return [{ ...first, computers: facts.flatMap(({ computers }) => computers) }];
}

/**
 * Replaces a file of facts in one step, so that a reader gets either the old or the new file. Returns its size in
 * bytes. It is written asynchronously, fact by fact, so that a large fleet does not block the keys.
 */
export async function replaceFactFile(
	directory: string,
	path: string,
	facts: Iterable<Fact>,
	/** The fields of the first line, in addition to the version. */
	header: object = {},
): Promise<number> {
	const draft = draftPathOf(path);
	makePrivateFolder(directory);
	if (isOfNewerVersion(readBeginning(path))) throw new NewerVersionError(path);
	try {
		const bytes = await writeDraft(draft, facts, header);
		await rename(draft, path);
		removeOldDrafts(path);
		return bytes;
	} catch (error) {
		await unlink(draft).catch(() => undefined);
		throw error;
	}
}

async function writeDraft(draft: string, facts: Iterable<Fact>, header: object): Promise<number> {
	const file = await open(draft, 'wx', 0o600);
	try {
		await file.appendFile(`${JSON.stringify({ version: fileVersion, ...header })}\n`);
		for (const fact of facts) await file.appendFile(`${JSON.stringify(fact)}\n`);
		return (await file.stat()).size;
	} finally {
		await file.close();
	}
}

export function linesOf(text = ''): readonly string[] {
	return text.split('\n').filter(line => line !== '');
}
