import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountKey, credentialsFrom, userOf } from '../../source/accounts/credentials.ts';
import { createTokenCache } from '../../source/accounts/token-cache.ts';
import { createJournal } from '../../source/journal/journal.ts';
import { createScreenKeeper } from '../../source/monitor/screen-persistence.ts';
import { journalOwnerOf } from '../../source/session/open-journal.ts';
import { createHeldClock } from '../held-clock.ts';
import { owner, signedInAt, stateFrom } from '../journal/fixture.ts';

function accountIn(state: string, change: { name?: string; email?: string; url?: string } = {}) {
	const { name = 'work', email = owner.email, url = owner.baseUrl } = change;
	const credentials = credentialsFrom({ authUrl: owner.authUrl, anonKey: 'anon', email });
	const tokenPath = join(state, 'tokens', `${name}.json`);
	return { name, baseUrl: url, credentials, user: userOf(credentials), tokenPath };
}

async function recalled(state: string, account = accountIn(state)) {
	const directory = join(state, 'journal');
	const whose = journalOwnerOf(account);
	const troubles: string[] = [];
	const journal = createJournal({
		directory,
		clock: createHeldClock(),
		pid: 1,
		unversionedLines: whose.unversionedLines,
		onProblem: ({ message }) => troubles.push(message),
	});
	const fleet = await journal.recallFleet(whose.account);
	const past = await journal.recallPast(whose.account);
	await journal.close();
	const computers = fleet.facts.flatMap(fact =>
		fact.type === 'fleetRecalled' ? fact.computers.map(({ reading }) => reading.name) : [],
	);
	const [first] = past.facts;
	const { changes = [], samples = [] } = first?.type === 'pastRecalled' ? first : {};
	const accounts = new Set(fleet.facts.map(each => each.account));
	return {
		computers,
		accounts,
		changes,
		samples,
		troubles,
		damaged: fleet.damagedLineCount + past.damagedLineCount,
	};
}

test('state files without a version number are shown when the stored token proves whose they are', async () => {
	const state = stateFrom('profile');
	const { computers, accounts, changes, samples, troubles, damaged } = await recalled(state);
	expect(computers).toEqual(['atlas', 'borealis', 'cygnus', 'draco', 'eridanus', 'fornax']);
	expect(accounts).toEqual(new Set([accountKey(accountIn(state))]));
	expect(changes.length).toBeGreaterThan(8);
	expect(changes).toContainEqual(
		expect.objectContaining({ type: 'operationMoved', to: 'settled' }),
	);
	expect(samples).toHaveLength(1);
	expect({ troubles, damaged }).toEqual({ troubles: [], damaged: 0 });
	const screen = createScreenKeeper(join(state, 'journal'), journalOwnerOf(accountIn(state)));
	expect(screen.restore()).toMatchObject({ ordering: { by: 'status' } });
});

test.each([
	['another user', { email: 'other@example.com' }],
	['another service', { url: 'http://127.0.0.1:38788/v1' }],
	['another profile', { name: 'home' }],
])(
	'state files without a version number are not shown when they may belong to %s',
	async (_, change) => {
		const state = stateFrom('profile');
		const account = accountIn(state, change);
		const { computers, changes, samples } = await recalled(state, account);
		expect({ computers, changes, samples }).toEqual({ computers: [], changes: [], samples: [] });
		expect(createScreenKeeper(join(state, 'journal'), journalOwnerOf(account)).restore()).toEqual(
			{},
		);
	},
);

test('a token in the environment does not prove whose the state files are', async () => {
	const state = stateFrom('environment');
	const { computers, changes } = await recalled(state, accountIn(state, { name: 'environment' }));
	expect({ computers, changes }).toEqual({ computers: [], changes: [] });
});

test('state files without a version number are trusted only if they were written after the last sign-in', async () => {
	const later = 1_795_312_760_000;
	const all = await recalled(stateFrom('profile'));
	const some = await recalled(stateFrom('profile', later));
	expect(some.changes.length).toBeGreaterThan(0);
	expect(some.changes.length).toBeLessThan(all.changes.length);
	expect(some.changes.every(({ at }) => at >= later)).toBe(true);
	expect(some.samples).toEqual([]);
	const none = await recalled(stateFrom('profile', signedInAt + 86_400_000));
	expect(none).toMatchObject({ computers: [], changes: [], samples: [] });
});

test('state that was proven once is still trusted after the next sign-in has replaced the token', async () => {
	const state = stateFrom('profile');
	const before = await recalled(state);
	createTokenCache(accountIn(state), () => {}).save({ accessToken: 'next' });
	const after = await recalled(state);
	expect(after.changes).toEqual(before.changes);
	expect(after.samples).toEqual(before.samples);
});

test('a stored token without a version number is used, but only for its own account', () => {
	const state = stateFrom('profile');
	const cacheOf = (change = {}) => createTokenCache(accountIn(state, change), () => {});
	expect(cacheOf().load()).toMatchObject({ accessToken: 'token-of-the-simulator' });
	expect(cacheOf({ email: 'other@example.com' }).load()).toBeUndefined();
});
