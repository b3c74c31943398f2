import { expect, test } from 'vitest';
import { openSpokenMonitor, type SpokenMonitor } from '../driver/spoken.ts';

const requestsTo = (monitor: SpokenMonitor, ending: string) =>
	monitor.simulator.requests.filter(({ path }) => path.endsWith(ending));

async function beginRestart(monitor: SpokenMonitor) {
	await monitor.press('r').hear('Restart atlas?');
	await monitor.answer('y');
	monitor.clock.move(100);
	await monitor.hear('atlas: Restarting in 4 seconds, Escape to cancel.');
}

test('the question, the countdown and the outcome of a restart are each spoken once', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.press('r', 'y').hear('Restart atlas?', '/workspace is kept.');
	await monitor.hear('y restarts, n cancels, c copies the command.');
	expect(monitor.simulator.world.get('atlas').state).toBe('active');
	await monitor.answer('y');
	monitor.clock.move(100);
	await monitor.hear('atlas: Restarting in 4 seconds, Escape to cancel.');
	await monitor.pass(3000, 250);
	expect(monitor.newLines().filter(line => line !== '')).toEqual([]);
	expect(requestsTo(monitor, '/restart')).toEqual([]);
	await monitor.pass(2000).hear('atlas: Restarting.');
	await monitor.pass(20_000).hear(/^atlas: restarted by you in \d+ seconds\.$/);
	expect(monitor.lines().filter(line => line.startsWith('atlas: active'))).toEqual([]);
	expect(requestsTo(monitor, '/restart')).toHaveLength(1);
});

test('while Ctrl-Z stops the program, the shared watch is left and a countdown is held, which is announced again from its full time', async () => {
	const monitor = await openSpokenMonitor();
	let isLeft = false;
	monitor.session.sharedWatch = {
		resign() {
			isLeft = true;
		},
		isUsedLast: () => true,
	};
	await beginRestart(monitor);
	await monitor.press('ctrl-z');
	expect(isLeft).toBe(true);
	await monitor.pass(9000);
	expect(requestsTo(monitor, '/restart')).toEqual([]);
	monitor.resume();
	await monitor.hear('Resumed.');
	monitor.clock.move(100);
	await monitor.hear('atlas: Restarting in 4 seconds, Escape to cancel.');
	await monitor.press('escape').hear('Cancelled: atlas was not restarted');
	await monitor.pass(9000);
	expect(requestsTo(monitor, '/restart')).toEqual([]);
});

test('a dialog holds a countdown, and says so, and quitting from it sends nothing', async () => {
	const monitor = await openSpokenMonitor();
	await beginRestart(monitor);
	await monitor.press('q').hear('Quitting cancels', 'restart atlas (on hold)');
	await monitor.pass(61_000, 5_000);
	expect(requestsTo(monitor, '/restart')).toEqual([]);
	await monitor.press('escape').hear('Closed.');
	await monitor.pass(200, 100).hear('atlas: Restarting in 4 seconds, Escape to cancel.');
	await monitor.press('q').hear('y quits, n stays.');
	await monitor.answer('y');
	expect(monitor.endings).toEqual([{ kind: 'quit' }]);
	expect(requestsTo(monitor, '/restart')).toEqual([]);
});

test('a changed line is printed again on a new line, after erasing a letter and after an edit in its middle', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.press('/atlsx');
	expect(monitor.lines().at(-1)).toBe('Filter: atlsx');
	await monitor.press('backspace');
	expect(monitor.lines().slice(-2)).toEqual(['Filter: atlsx', 'Filter: atls']);
	await monitor.press('left', 'a', 'enter').hear('Filter: atlas', '1 of 7');
});

test('a view is spoken as lines, one page at a time', async () => {
	const monitor = await openSpokenMonitor({ computers: 24 });
	await monitor.press('1').hear('14 more lines: press page down to continue.');
	await monitor.press('pagedown').hear(/^20 of 24/);
	await monitor.press('5', 'e').hear(/^Log, failures only, \d+ lines?/, 'filter kind:failure.');
	await monitor.press('e').hear(/^Log, \d+ lines?/, 'No filter.');
	await monitor.press('?').hear('Keys here.', 'question mark: show or close this help.');
	await monitor.press('1').hear('24 computers, by name.');
	await monitor.press('m', 'b');
	await monitor.hear('Map by status, coloured by status.', /^active: \d+ computers, \d+ active\.$/);
	await monitor.press('j').hear(/^\d+ of 24: \w+, /);
});

test('the credits are spoken without their chart once a burn rate is known', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.pass(20 * 60_000, 5 * 60_000);
	await monitor.press('2').hear(/^Burn rate about [\d.]+ an hour/);
	expect(monitor.newLines().join('\n')).not.toMatch(/[\u2500-\u259f]/);
});

test('“y” speaks the text that it would copy, because the spoken monitor has no clipboard, and a key that does nothing says which keys do', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.press('y').hear(monitor.simulator.world.get('atlas').id);
	await monitor.press('z').hear(/^z does nothing here\. Press the question mark for help\.$/);
	await monitor.press('Z').hear(/^capital Z does nothing here\./);
	await monitor.press('L', 'x', 'z');
	await monitor.hear('Unlock?', /^z does nothing here\. y unlocks, n cancels\.$/);
	await monitor.press('n').hear('Closed.');
});

test('a mark is spoken once, with the name of the computer', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.press('space', 'k', 'space', 'a', 'a');
	const marks = monitor.lines().filter(line => / marked|unmark|removed/.test(line));
	expect(marks).toEqual([
		'atlas marked, 1 marked.',
		expect.stringMatching(/^1 of 7: marked, atlas, /),
		'atlas unmarked, none marked.',
		'7 computers marked; Escape unmarks them',
		'7 marks removed',
	]);
});

test('a read that a key has asked for says that it has been answered', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.press('R').hear('Reading now');
	await monitor.pass(1_000).hear(/^Read\.$/);
	await monitor.pass(60_000, 5_000);
	expect(monitor.newLines()).not.toContain('Read.');
	monitor.simulator.setFaults([{ target: '*', kind: 'reset' }]);
	monitor.clock.move(1);
	await monitor.press('R');
	await monitor.pass(1_000).hear('The read failed.');
});

test('many changes at the same time are announced in one line', async () => {
	const monitor = await openSpokenMonitor({ computers: 24 });
	for (const name of ['atlas', 'draco', 'fornax', 'hydra', 'kochab', 'norma']) {
		monitor.simulator.world.fail(name, 'it broke');
	}
	await monitor.pass(60_000).hear(/^\d computers became error: \w+, \w+, \w+ and \d more\.$/);
});

test('a read-only monitor refuses operations', async () => {
	const monitor = await openSpokenMonitor({ isReadOnly: true });
	expect(monitor.lines()[2]).toMatch(/, read-only, /);
	await monitor.press('x').hear('Read-only: nothing can be changed here');
	await monitor.press(':', 'stop', 'enter').hear('Read-only: nothing can be changed here');
	await monitor.hear('Stop computers; files and processes are kept.');
});

test('a locked monitor says to unlock it first', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.press('L').hear('Locked. Still watching; L unlocks');
	await monitor.press('x').hear('y unlocks, n cancels.');
	await monitor.answer('y').hear('Unlocked: press x again');
});

test('a password is asked for and never echoed', async () => {
	const monitor = await openSpokenMonitor({ asksForPassword: true });
	await monitor.hear('Sign in to test', 'The password is sent there once and never stored.');
	const { password } = monitor.simulator;
	await monitor.press('/web', 'enter');
	monitor.clock.move(300);
	await monitor.press('ctrl-u', ...password);
	expect(monitor.lines().at(-1)).toBe('Password, not shown: ');
	await monitor.press('enter');
	await monitor.pass(5000).hear('7 computers, by name.');
	expect(monitor.lines().join('\n')).not.toContain(password);
	expect(monitor.lines().join('\n')).not.toContain(password.slice(0, 3));
});
