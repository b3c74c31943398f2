import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { removeOldDrafts } from '../accounts/private-file.ts';
import type { Fact } from '../fleet/fact.ts';
import { hasCode } from '../foundation/error.ts';
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
	makePrivateFolder(directory);
	if (isOfNewerVersion(readBeginning(path))) throw new NewerVersionError(path);
	const { draft, file } = await createDraft(path);
	try {
		const bytes = await writeDraft(file, facts, header);
		await rename(draft, path);
		removeOldDrafts(path);
		return bytes;
	} catch (error) {
		await unlink(draft).catch(() => undefined);
		throw error;
	}
}

/**
 * Creates a draft with the first number that no other draft has. Loading `node:crypto` for a random name would take
 * longer than writing the file.
 */
async function createDraft(path: string): Promise<{ draft: string; file: FileHandle }> {
	for (let number = 1; ; number += 1) {
		const draft = `${path}.${number}`;
		try {
			return { draft, file: await open(draft, 'wx', 0o600) };
		} catch (error) {
			if (!hasCode(error, 'EEXIST')) throw error;
		}
	}
}

async function writeDraft(
	file: FileHandle,
	facts: Iterable<Fact>,
	header: object,
): Promise<number> {
	const headerLine = (checksum: number) =>
		`${JSON.stringify({ version: fileVersion, checksum: checksumText(checksum), ...header })}\n`;
	try {
		await file.appendFile(headerLine(0));
		let checksum = 0;
		for (const fact of facts) {
			const line = `${JSON.stringify(fact)}\n`;
			checksum = crc32(line, checksum);
			await file.appendFile(line);
		}
		// The checksum has always the same length, so this replaces the first line exactly.
		await file.write(headerLine(checksum), 0);
		return (await file.stat()).size;
	} finally {
		await file.close();
	}
}

export function linesOf(text = ''): readonly string[] {
	return text.split('\n').filter(line => line !== '');
}

/**
 * The number of the present form of the facts in these files. Give it the next number when the schema of such a fact
 * changes; a test fails until then.
 */
export const factForm = 1;

const checksumText = (checksum: number) =>
	`${factForm}-${(checksum >>> 0).toString(16).padStart(8, '0')}`;

type FactFileContents = {
	first: string;
	lines: readonly string[];
	/**
	 * Whether a program with the present form wrote these lines as they are. Then they are not checked against the schema,
	 * which takes longer than parsing them.
	 */
	isIntact: boolean;
};

/** Separates the first line from the facts. */
export function factFileContents(text = ''): FactFileContents {
	const end = text.includes('\n') ? text.indexOf('\n') : text.length;
	const first = text.slice(0, end);
	const rest = text.slice(end + 1);
	const checksum = /^\{"version":\d+,"checksum":"([^"]+)"/.exec(first)?.[1];
	const isIntact = checksum !== undefined && checksum === checksumText(crc32(rest));
	return { first, lines: linesOf(rest), isIntact };
}
