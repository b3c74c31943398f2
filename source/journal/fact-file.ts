import { close, closeSync, fstatSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { createDraft, removeDrafts } from '../accounts/private-file.ts';
import type { Fact } from '../fleet/fact.ts';
import type { Steps } from '../foundation/steps.ts';
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

/** Closes a file, at once or in the background. */
export type CloseFile = (file: number) => void | Promise<void>;

/** Closes a file in one of Node's threads, because a network disk stores all of the file only when it is closed. */
export const closeInBackground: CloseFile = file =>
	new Promise((resolve, reject) => {
		close(file, error => (error ? reject(error) : resolve()));
	});

/**
 * Replaces a file of facts, so that a reader gets either the old or the new file. Returns its size in bytes. Each fact is
 * a step, so that a large fleet does not block the keys. The steps do not use Node's asynchronous files: a command that
 * saves a thousand computers would spend more time on loading them and on starting their threads than on writing.
 */
export function* replaceFactFile(
	directory: string,
	path: string,
	facts: Iterable<Fact>,
	/** The fields of the first line, in addition to the version. */
	header: object = {},
	closeFile: CloseFile = closeSync,
): Steps<number> {
	makePrivateFolder(directory);
	if (isOfNewerVersion(readBeginning(path))) throw new NewerVersionError(path);
	const { draft, file } = createDraft(path, 0o600);
	try {
		const bytes = yield* writeDraft(file, facts, header);
		yield closeFile(file);
		renameSync(draft, path);
		removeDrafts(path, 'old');
		return bytes;
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
}

/** Writes the lines, and returns their size. If that fails, the file is closed. */
function* writeDraft(file: number, facts: Iterable<Fact>, header: object): Steps<number> {
	const headerLine = (checksum: number) =>
		`${JSON.stringify({ version: fileVersion, checksum: checksumText(checksum), ...header })}\n`;
	try {
		writeFileSync(file, headerLine(0));
		let checksum = 0;
		for (const fact of facts) {
			const line = Buffer.from(`${JSON.stringify(fact)}\n`);
			checksum = crc32(line, checksum);
			writeFileSync(file, line);
			yield;
		}
		// The checksum has always the same length, so this replaces the first line exactly.
		writeSync(file, headerLine(checksum), 0);
		return fstatSync(file).size;
	} catch (error) {
		closeSync(file);
		throw error;
	}
}

export function linesOf(text = ''): readonly string[] {
	return text.split('\n').filter(line => line !== '');
}

/**
 * The number of the present form of the facts in these files. Give it the next number when the schema of such a fact
 * changes; a test fails until then.
 */
export const factForm = 2;

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
export function factFileContents(data: Buffer = Buffer.alloc(0)): FactFileContents {
	const end = data.includes('\n') ? data.indexOf('\n') : data.length;
	const first = data.toString('utf8', 0, end);
	const rest = data.subarray(end + 1);
	const checksum = /^\{"version":\d+,"checksum":"([^"]+)"/.exec(first)?.[1];
	const isIntact = checksum !== undefined && checksum === checksumText(crc32(rest));
	return { first, lines: linesOf(rest.toString()), isIntact };
}
