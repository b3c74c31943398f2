import { expect, test } from 'vitest';
import { openJournal } from '../../source/session/open-journal.ts';
import { createStore } from '../../source/store/store.ts';
import { createTestHost } from '../cli/host.ts';

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
