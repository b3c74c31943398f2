import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';
import { openSeveralAccounts } from '../driver/several-accounts.ts';

const second = 1_000;
const minute = 60 * second;

/** Opens a monitor that signed in with a typed password. */
async function openSignedIn(options: Parameters<typeof openMonitor>[0] = {}) {
	const monitor = await openMonitor({ asksForPassword: true, ...options });
	await monitor.answer(monitor.simulator.password, 'enter');
	await monitor.see('live, ');
	return monitor;
}

async function askToSignOut(monitor: Awaited<ReturnType<typeof openSignedIn>>) {
	await monitor.press(':', 'sign out', 'enter');
	await monitor.see('Sign out of test?');
	await monitor.see('Its stored token is removed. Its rows stay, but get no new data.');
}

test('the palette signs out after a question: the token is removed, nothing more is sent, and the rows stay', async () => {
	const monitor = await openSignedIn();
	expect(monitor.isTokenStored()).toBe(true);
	await askToSignOut(monitor);
	await monitor.answer('n');
	await monitor.seeNo('╭');
	await monitor.pass(10 * second);
	await monitor.see('live, ');
	await askToSignOut(monitor);
	await monitor.answer('y');
	await monitor.see('Signed out of test');
	expect(monitor.isTokenStored()).toBe(false);
	const { length } = monitor.simulator.requests;
	await monitor.pass(10 * minute, minute);
	await monitor.see('✖ signed out · l signs in');
	await monitor.see(/━ SIGNED OUT .* l signs in ━/);
	await monitor.see('❯ atlas');
	expect(monitor.simulator.requests).toHaveLength(length);
	expect(monitor.text()).not.toContain('Sign in to test');
	await monitor.press(':', 'sign out', 'enter');
	await monitor.see('Already signed out of test');
});

test('after a sign-out, only a typed password signs in again, and the table is live again', async () => {
	const monitor = await openSignedIn();
	await askToSignOut(monitor);
	await monitor.answer('y');
	await monitor.pass(minute, minute);
	await monitor.press('l');
	await monitor.see('Sign in to test');
	await monitor.answer(monitor.simulator.password, 'enter');
	await monitor.pass(5 * second);
	await monitor.see('live, ');
	expect(monitor.isTokenStored()).toBe(true);
});

test('the question about a sign-out holds a countdown and names it, and signing out cancels it', async () => {
	const monitor = await openSignedIn();
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.see('Restarting atlas in 4 s');
	await askToSignOut(monitor);
	await monitor.see('Cancelled:');
	await monitor.see('restart atlas');
	await monitor.pass(minute, 10 * second);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.answer('y');
	await monitor.pass(minute, 10 * second);
	await monitor.press('5');
	await monitor.see('atlas: restart cancelled');
	expect(monitor.operationRequests()).toEqual([]);
});

test('a read-only monitor may sign out', async () => {
	const monitor = await openSignedIn({ isReadOnly: true });
	await askToSignOut(monitor);
	await monitor.answer('y');
	await monitor.see('Signed out of test');
	expect(monitor.isTokenStored()).toBe(false);
});

test('an account that no person can sign in to again is not signed out', async () => {
	const monitor = await openMonitor();
	await monitor.press(':', 'sign out', 'enter');
	await monitor.see('test signs in with a token. `crowsnest logout` deletes a stored token');
	await monitor.pass(10 * second);
	await monitor.see('live, ');
});

test('with several accounts, the one under the cursor or the named one is signed out, and the others stay live', async () => {
	const monitor = await openSeveralAccounts();
	await monitor.press('/', 'account:lab', 'enter', ':', 'sign out', 'enter');
	await monitor.see('Sign out of lab?');
	await monitor.press('escape');
	await monitor.seeNo('╭');
	await monitor.press('escape', ':', 'sign out of work', 'enter');
	await monitor.see('Sign out of work?');
	await monitor.answer('y');
	await monitor.pass(minute, 5 * second);
	await monitor.see('━ work: SIGNED OUT');
	await monitor.seeNo('lab: SIGNED OUT');
	await monitor.see('live, ');
	await monitor.press('l');
	await monitor.see('Sign in to work');
	await monitor.answer(monitor.platformOf('work').password, 'enter');
	await monitor.pass(10 * second);
	await monitor.seeNo('SIGNED OUT');
});
