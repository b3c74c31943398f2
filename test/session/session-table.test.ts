import { expect, test } from 'vitest';
import {
	createPasswordRequest,
	type PasswordRequest,
} from '../../source/accounts/password-request.ts';
import type { AccountSession } from '../../source/session/session.ts';
import {
	createSessionTable,
	type SessionTable,
	startWatches,
} from '../../source/session/session-table.ts';
import { joinPasswordRequests } from '../../source/session/sign-in-request.ts';
import { profileOf } from '../opened-account.ts';

// The table reads nothing of a session but its account and its profile.
const sessionNamed = (name: string) =>
	({ account: name, profile: profileOf(name) }) as AccountSession;

test('the watch of each account starts, now and when it comes later', () => {
	const started: string[] = [];
	const [work, lab] = ['work', 'lab'].map(
		name =>
			({
				...sessionNamed(name),
				watch: { start: () => started.push(name) },
			}) as unknown as AccountSession,
	) as [AccountSession, AccountSession];
	const table = createSessionTable([work]);
	startWatches(table);
	table.add(lab);
	expect(started).toEqual(['work', 'lab']);
});

const joinRequests = (...requests: readonly PasswordRequest[]) =>
	joinPasswordRequests({
		all: () => requests.map(passwordRequest => ({ passwordRequest })),
		follow: () => () => {},
	} as unknown as SessionTable);

const requestFor = (profile: string) =>
	createPasswordRequest({ profile, email: `${profile}@example.com`, host: 'id.example.com' });

test('passwords of several accounts are asked for one after another, each with its account', async () => {
	const [work, lab] = [requestFor('work'), requestFor('lab')];
	const joined = joinRequests(work, lab);
	const { signal } = new AbortController();
	const labPassword = lab.ask(signal);
	expect(joined.prompt()?.profile).toBe('lab');
	// A request that opens later does not take the letters that are typed for the open one.
	const workPassword = work.ask(signal);
	expect(joined.prompt()?.profile).toBe('lab');
	joined.submit('for lab');
	expect(joined.prompt()?.profile).toBe('work');
	joined.submit('for work');
	expect(joined.prompt()).toBeUndefined();
	await expect(labPassword).resolves.toBe('for lab');
	await expect(workPassword).resolves.toBe('for work');
});

test('a password that is refused or declined does not affect the other accounts', async () => {
	const [work, lab] = [requestFor('work'), requestFor('lab')];
	const joined = joinRequests(work, lab);
	const { signal } = new AbortController();
	const workPassword = work.ask(signal).catch(() => 'none');
	const labPassword = lab.ask(signal);
	joined.cancel();
	expect(joined.prompt()?.profile).toBe('lab');
	joined.submit('for lab');
	await expect(workPassword).resolves.toBe('none');
	await expect(labPassword).resolves.toBe('for lab');
});
