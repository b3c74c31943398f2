import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

const second = 1_000;
const minute = 60 * second;

/** Opens a monitor that signed in with a typed password, and makes the platform refuse its token. */
async function openSignedOut() {
	const monitor = await openMonitor({ asksForPassword: true });
	await monitor.see('Sign in to test');
	await monitor.answer(monitor.simulator.password, 'enter');
	await monitor.see('atlas');
	await monitor.see('live, ');
	await monitor.revoke();
	await monitor.pass(10 * second);
	await monitor.see('✖ signed out · l signs in');
	return monitor;
}

test('the sign-in dialog opens by itself only at the start', async () => {
	const monitor = await openMonitor({ asksForPassword: true });
	await monitor.see('Sign in to test');
	await monitor.see('sent there once');
	await monitor.answer('a', 'b', 'c');
	await monitor.see('Password: •••▏');
	expect(monitor.text()).not.toContain('abc');
	await monitor.press('escape');
	await monitor.see('✖ signed out · l signs in');
	await monitor.pass(10 * minute, minute);
	expect(monitor.text()).not.toContain('Sign in to test');
});

test('when the platform signs the account out, no dialog opens over the table, and the keys of the table keep working', async () => {
	const monitor = await openSignedOut();
	await monitor.pass(5 * minute, minute);
	expect(monitor.text()).not.toContain('Sign in to test');
	await monitor.see(/━ SIGNED OUT .* l signs in ━/);
	await monitor.press('5');
	await monitor.see('✖ signed out · l signs in');
	await monitor.press('1', 'j');
	await monitor.see('❯ borealis');
});

test('“l” opens the sign-in dialog, which says why a password was refused, and signing in ends the outage', async () => {
	const monitor = await openSignedOut();
	await monitor.press('l');
	await monitor.see('Sign in to test');
	await monitor.answer('wrong', 'enter');
	await monitor.see('Invalid login credentials.');
	const requests = monitor.simulator.requests.length;
	await monitor.answer('wrong', 'enter');
	await monitor.see(/Attempt 2 failed at [:0-9]+: the same password as before/);
	expect(monitor.simulator.requests.length).toBe(requests);
	await monitor.answer(monitor.simulator.password, 'enter');
	await monitor.see('live, ');
	expect(monitor.text()).not.toContain('Sign in to test');
	await monitor.press('l');
	await monitor.see('Already signed in');
});

test('Esc closes the sign-in dialog, and “l” opens it again with an empty field', async () => {
	const monitor = await openSignedOut();
	await monitor.press('l');
	await monitor.answer('x', 'escape');
	await monitor.see('✖ signed out · l signs in');
	expect(monitor.text()).not.toContain('Sign in to test');
	await monitor.press('l');
	await monitor.see('Sign in to test');
	expect(monitor.text()).not.toContain('•');
});

test('Enter opens the sign-in dialog when the table is empty', async () => {
	const monitor = await openMonitor({ asksForPassword: true });
	await monitor.see('Sign in to test');
	await monitor.answer('escape');
	await monitor.see('✖ signed out');
	await monitor.press('enter');
	await monitor.see('Sign in to test');
});

test('the sign-in dialog holds a countdown, and the quit dialog opens in front of the sign-in dialog', async () => {
	const monitor = await openSignedOut();
	await monitor.press('r');
	await monitor.answer('y');
	await monitor.see('Restarting atlas in 4 s, Esc to cancel');
	await monitor.press('l');
	await monitor.see('Restarting atlas: on hold; counts down from 4 s once this is closed');
	await monitor.pass(minute, 10 * second);
	await monitor.press('ctrl-c');
	await monitor.see('Quitting cancels:');
	await monitor.answer('escape');
	await monitor.see('Sign in to test');
	await monitor.answer('escape');
	await monitor.see('Restarting atlas in 4 s, Esc to cancel');
	await monitor.press('escape');
	await monitor.see('Cancelled: atlas was not restarted');
});
