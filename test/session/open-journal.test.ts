import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../../source/session/open-journal.ts';
import { createStore } from '../../source/store/store.ts';
import { everyFact } from '../arbitraries/sample-facts.ts';
import { createTestHost } from '../cli/host.ts';

const account = 'one';

/** Opens a journal, and returns the facts that it restores. */
async function restoredFacts(
	options: { needsHistory?: boolean },
	unversionedLines?: { profileName: string; since: number },
) {
	const store = createStore();
	const restored: string[] = [];
	store.onFact(({ type }) => restored.push(type));
	const recorder = { isRecorder: () => true, onBecoming: () => () => {} };
	const owner = { account: 'one', unversionedLines };
	const { host } = createTestHost();
	const journal = await openJournal(host, { store, recorder }, owner, expect.unreachable, options);
	await journal.close();
	return restored;
}

test('a command that shows no history does not load it', async () => {
	expect(await restoredFacts({})).toContain('pastRecalled');
	expect(await restoredFacts({ needsHistory: false })).not.toContain('pastRecalled');
});

test('entries that only this start can prove to be of the account are read for every command', async () => {
	const lines = { profileName: 'work', since: 0 };
	expect(await restoredFacts({ needsHistory: false }, lines)).toContain('pastRecalled');
});

test('a reason for which several files cannot be saved is reported once', async () => {
	const store = createStore();
	const recorder = { isRecorder: () => true, onBecoming: () => () => {} };
	const { host, folder, clock } = createTestHost();
	mkdirSync(join(folder, 'state'), { mode: 0o700 });
	writeFileSync(join(folder, 'state', 'journal'), 'a file where the folder of the journal belongs');
	const problems: string[] = [];
	const journal = await openJournal(host, { store, recorder }, { account }, problem =>
		problems.push(problem),
	);
	for (const each of everyFact) store.fold({ ...each, account, at: clock.now() });
	await journal.close();
	const reasons = problems.map(problem => problem.replace(/^Cannot save the [^:]*: /, ''));
	// Reading and writing fail for different reasons.
	expect(reasons.map(reason => reason.split(':')[0])).toEqual(['ENOTDIR', 'EEXIST']);
});
