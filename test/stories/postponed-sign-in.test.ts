import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';

const second = 1_000;

/** Opens a monitor in which a wrong password was typed that the platform has not refused yet. */
async function openBeforeRefusal() {
	const monitor = await openMonitor({
		asksForPassword: true,
		faults: [{ target: 'sign-in', kind: 'delay', delayMs: 5 * second }],
	});
	await monitor.see('Sign in to test');
	await monitor.answer('wrong', 'enter');
	await monitor.seeNo('Sign in to test');
	return monitor;
}

test('the sign-in dialog does not interrupt a name that is being typed', async () => {
	const monitor = await openBeforeRefusal();
	await monitor.press('n');
	await monitor.see('Create a computer?');
	await monitor.answer('al');
	await monitor.pass(6 * second, second);
	await monitor.seeNo('Sign in to test');
	await monitor.type('pal');
	await monitor.see('alpal');
	await monitor.press('escape');
	await monitor.see('Sign in to test');
	await monitor.see('Invalid login credentials');
	await monitor.seeNo('•');
});

test.each([
	['a filter', '/', ['enter']],
	['the palette', ':', ['escape']],
	['the choice of columns', 'C', ['escape']],
])('the sign-in dialog waits until %s is closed', async (_, key, closing) => {
	const monitor = await openBeforeRefusal();
	await monitor.press(key);
	const before = monitor.text();
	await monitor.pass(6 * second, second);
	await monitor.seeNo('Sign in to test');
	expect(monitor.text()).not.toBe('');
	expect(before).not.toContain('Sign in to test');
	await monitor.press(...closing);
	await monitor.see('Sign in to test');
});

test('a postponed sign-in dialog is not submitted for 300 ms after it opens', async () => {
	const monitor = await openBeforeRefusal();
	await monitor.press('/');
	await monitor.pass(6 * second, second);
	await monitor.press('enter', 'x', 'enter');
	await monitor.see('Sign in to test');
	await monitor.see('Password: •▏');
	await monitor.answer('y');
	await monitor.see('Password: ••▏');
});

test('the spoken monitor postpones the sign-in too', async () => {
	const monitor = await openSpokenMonitor({
		asksForPassword: true,
		faults: [{ target: 'sign-in', kind: 'delay', delayMs: 5 * second }],
	});
	await monitor.hear(/Sign in to test/i);
	await monitor.answer('wrong', 'enter');
	await monitor.press('n');
	await monitor.hear('Create a computer?');
	await monitor.answer('al');
	await monitor.pass(6 * second, second);
	expect(monitor.newLines().join('\n')).not.toMatch(/Sign in to test/i);
	await monitor.press('escape');
	await monitor.hear(/Sign in to test/i);
});
