import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fact } from '../fleet/fact.ts';
import { factFrom } from './kept-fact.ts';
import { ignoreMissing } from './line-file.ts';

const staleAfter = 600_000;

export type Place = { directory: string; account: string };

/** The file's name tells nothing of the account, whose own name need not be one that files can have. */
function pathOf({ directory, account }: Place): string {
	const name = createHash('sha256').update(account).digest('hex').slice(0, 16);
	return join(directory, `fleet-${name}.jsonl`);
}

/** The facts that bring back the last known fleet, as they were kept; and how many lines were damaged. */
export async function readFleet(place: Place): Promise<{ facts: Fact[]; damaged: number }> {
	const text = (await readFile(pathOf(place), 'utf8').catch(ignoreMissing)) ?? '';
	const lines = text.split('\n').filter(line => line !== '');
	const isOfIt = (fact: Fact) => fact.account === place.account;
	const facts = lines.flatMap(line => factFrom(line) ?? []);
	return { facts: facts.filter(isOfIt), damaged: lines.length - facts.length };
}

/**
 * Puts the new notes in the place of the old ones at once: whoever reads gets the one or the other.
 * Tells how many bytes that took.
 */
export async function writeFleet(
	place: Place,
	pid: number,
	facts: Iterable<Fact>,
): Promise<number> {
	const path = pathOf(place);
	// Process ids alone repeat where processes live in containers.
	const draft = `${path}.${pid}-${randomBytes(4).toString('hex')}`;
	await mkdir(place.directory, { recursive: true, mode: 0o700 });
	try {
		const bytes = await writeDraft(draft, facts);
		await rename(draft, path);
		await removeLeft(place.directory, path);
		return bytes;
	} catch (error) {
		await unlink(draft).catch(() => undefined);
		throw error;
	}
}

// Drafts of processes that died while they wrote. One that another is just writing is younger.
async function removeLeft(directory: string, path: string): Promise<void> {
	const { mtimeMs: now } = await stat(path);
	for (const name of await readdir(directory)) {
		const draft = join(directory, name);
		if (!draft.startsWith(`${path}.`)) continue;
		const written = (await stat(draft).catch(ignoreMissing))?.mtimeMs ?? now;
		if (now - written > staleAfter) await unlink(draft).catch(ignoreMissing);
	}
}

async function writeDraft(draft: string, facts: Iterable<Fact>): Promise<number> {
	const file = await open(draft, 'w', 0o600);
	try {
		await file.chmod(0o600);
		for (const fact of facts) await file.appendFile(`${JSON.stringify(fact)}\n`);
		return (await file.stat()).size;
	} finally {
		await file.close();
	}
}
