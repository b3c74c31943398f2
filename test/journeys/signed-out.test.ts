import { expect, test } from 'vitest';
import { answer } from './person.ts';
import { openSignInStage } from './sign-in-stage.ts';

const second = 1_000;
const minute = 60 * second;

/** Signed in by hand, with the fleet on screen; then the platform refuses the token. */
async function signedOut() {
	const stage = await openSignInStage();
	await stage.see('Sign in to test');
	await stage.press(...stage.simulator.password, 'enter');
	await stage.see('atlas');
	await stage.see('● live');
	await stage.revoke();
	await stage.pass(10 * second);
	await stage.see('✖ signed out · l signs in');
	return stage;
}

test('at the very start, with nothing to interrupt, the sign-in opens by itself', async () => {
	const stage = await openSignInStage();
	await stage.see('Sign in to test');
	await stage.see('sent there once');
	await stage.press('a', 'b', 'c');
	await stage.see('Password: •••▏');
	expect(stage.text()).not.toContain('abc');
	await stage.press('escape');
	await stage.see('✖ signed out · l signs in');
	await stage.pass(10 * minute, minute);
	expect(stage.text()).not.toContain('Sign in to test');
});

test('over a working table no dialog opens, and its keys stay its own', async () => {
	const stage = await signedOut();
	await stage.pass(5 * minute, 10 * second);
	expect(stage.text()).not.toContain('Sign in to test');
	await stage.see(/━ SIGNED OUT .* l signs in ━/);
	await stage.press('5');
	await stage.see('✖ signed out · l signs in');
	await stage.press('1', 'j');
	await stage.see('❯ borealis');
});

test('l opens the sign-in, which says why a password was refused, and ends the outage', async () => {
	const stage = await signedOut();
	await stage.press('l');
	await stage.see('Sign in to test');
	await stage.press(...'wrong', 'enter');
	await stage.see('Invalid login credentials');
	await stage.press(...stage.simulator.password, 'enter');
	await stage.see('● live');
	expect(stage.text()).not.toContain('Sign in to test');
	await stage.press('l');
	await stage.see('You are signed in');
});

test('Esc leaves the sign-in, and the next l opens it again', async () => {
	const stage = await signedOut();
	await stage.press('l', 'x', 'escape');
	await stage.see('✖ signed out · l signs in');
	expect(stage.text()).not.toContain('Sign in to test');
	await stage.press('l');
	await stage.see('Sign in to test');
	expect(stage.text()).not.toContain('•');
});

test('the palette finds the sign-in', async () => {
	const stage = await signedOut();
	await stage.press(...':sign', 'enter');
	await stage.see('Sign in to test');
});

test('an empty table signs in with Enter', async () => {
	const stage = await openSignInStage();
	await stage.see('Sign in to test');
	await stage.press('escape');
	await stage.see('✖ signed out');
	await stage.press('enter');
	await stage.see('Sign in to test');
});

test('the sign-in holds a countdown, and the quit dialog comes before it', async () => {
	const stage = await signedOut();
	await stage.press('x');
	await answer(stage, 'y');
	await stage.see('Stopping atlas in 4 s, Esc to keep it');
	await stage.press('l');
	await stage.see('Stopping atlas: held at 4 s');
	await stage.pass(minute, 10 * second);
	await stage.press('ctrl-c');
	await stage.see('Quitting cancels (held at 4 s):');
	await answer(stage, 'escape');
	await stage.see('Sign in to test');
	await stage.press('escape');
	await stage.see('Stopping atlas in 4 s, Esc to keep it');
	await stage.press('escape');
	await stage.see('Cancelled: atlas was not stopped');
});
