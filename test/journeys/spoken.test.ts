import { expect, test } from 'vitest';
import { openSpokenMonitor, type SpokenMonitor } from '../driver/spoken.ts';

const sent = (stage: SpokenMonitor, ending: string) =>
	stage.simulator.requests.filter(({ path }) => path.endsWith(ending));

const state = (stage: SpokenMonitor, name: string) => stage.simulator.world.named(name).state;

test('what it begins with is who watches what, how it is, and how to go on', async () => {
	const stage = await openSpokenMonitor();
	expect(stage.lines().slice(0, 6)).toEqual([
		'crowsnest, watching test.',
		`Signed in as ${stage.simulator.email}.`,
		expect.stringMatching(/^7 computers: \d active.*\.$/),
		expect.stringMatching(/^Plan Pro\. Credits [\d.]+\.$/),
		expect.stringMatching(/^Last heard \d+ seconds? ago\.$/),
		'Press question mark for help, q to quit.',
	]);
	await stage.press('x');
	await stage.hear('Stop atlas?');
});

test('a stop is asked, counted down and followed to its end, each told once', async () => {
	const stage = await openSpokenMonitor();
	await stage.press('x', 'y');
	await stage.hear('Stop atlas?');
	await stage.hear('Files and processes are kept.');
	await stage.hear('Stop? y / n');
	expect(state(stage, 'atlas')).toBe('active');
	stage.clock.move(300);
	await stage.press('y');
	stage.clock.move(100);
	await stage.hear('Stopping atlas in 4 s, Esc to keep it.');
	await stage.pass(3000, 250);
	expect(stage.fresh().filter(line => line !== '')).toEqual([]);
	expect(sent(stage, '/stop')).toEqual([]);
	await stage.pass(2000);
	await stage.hear('Stopping atlas: sent.');
	await stage.pass(20_000);
	await stage.hear('you stopped atlas.');
	expect(stage.lines().filter(line => line.includes('atlas became'))).toEqual([]);
	expect(sent(stage, '/stop')).toHaveLength(1);
});

test('a countdown begins anew for whoever comes back, who is told so', async () => {
	const stage = await openSpokenMonitor();
	await stage.press('x');
	await stage.hear('Stop atlas?');
	stage.clock.move(300);
	await stage.press('y');
	stage.clock.move(100);
	await stage.hear('Stopping atlas in 4 s, Esc to keep it.');
	await stage.press('ctrl-z');
	await stage.pass(9000);
	expect(sent(stage, '/stop')).toEqual([]);
	stage.resume();
	await stage.hear('Going on.');
	stage.clock.move(100);
	await stage.hear('Stopping atlas in 4 s, Esc to keep it.');
	await stage.press('escape');
	await stage.pass(9000);
	expect(sent(stage, '/stop')).toEqual([]);
});

test('a delete wants the name, which is echoed and told to be wrong', async () => {
	const stage = await openSpokenMonitor();
	await stage.press('D');
	await stage.hear('Delete atlas?');
	await stage.hear('There is no way back.');
	await stage.hear('Type its name to delete it:');
	stage.clock.move(300);
	await stage.press('y', 'enter');
	await stage.hear('that is not atlas');
	await stage.press('ctrl-u', 'a', 't', 'l', 'a', 's');
	expect(stage.lines().at(-1)).toBe('Type its name to delete it: atlas');
	await stage.press('enter');
	stage.clock.move(100);
	await stage.hear(/Deleting atlas in \d s, Esc to keep it/);
	await stage.pass(15_000);
	await stage.hear('you deleted atlas.');
	expect(() => stage.simulator.world.named('atlas')).toThrow();
});

test('a letter that is erased begins the line anew, and nothing is rewritten', async () => {
	const stage = await openSpokenMonitor();
	await stage.press(...'/sta');
	expect(stage.lines().at(-1)).toBe('Filter: sta');
	await stage.press('backspace');
	expect(stage.lines().slice(-2)).toEqual(['Filter: sta', 'Filter: st']);
});

test('a filter tells what matches when one pauses and when it is kept', async () => {
	const stage = await openSpokenMonitor();
	await stage.press(...'/status:active');
	stage.clock.move(1000);
	await stage.hear(/^\d of 7 computers match\.$/);
	expect(stage.lines().at(-1)).toBe('Filter: status:active');
	await stage.press('enter');
	await stage.hear(/^\d of 7 computers match\.$/);
	await stage.press('j');
	await stage.hear(/^2 of \d: \w+: Active/);
	await stage.press('escape');
	await stage.hear('No filter: 7 computers.');
});

test('moves tell the row, marks what is marked, and Enter all that is known', async () => {
	const stage = await openSpokenMonitor();
	await stage.press('j');
	await stage.hear(/^2 of 7: borealis: /);
	await stage.press('space');
	await stage.hear('Marked borealis: 1 marked.');
	await stage.hear(/^3 of 7: cygnus/);
	await stage.press('k', 'space');
	await stage.hear('Unmarked borealis: 0 marked.');
	await stage.press('g', 'enter');
	await stage.hear(/^atlas: Active, version [\d.]+/);
	await stage.hear(/^Its id is sb_/);
	await stage.hear(/^Seen: \d+ seconds? ago, by /);
	await stage.press('escape');
	await stage.hear(/^1 of 7: atlas/);
});

test('views are read as lines, a page at a time', async () => {
	const stage = await openSpokenMonitor({ computers: 24 });
	await stage.press('1');
	await stage.hear('24 computers');
	await stage.hear(/^10 of 24/);
	await stage.hear('14 more lines: page down reads on.');
	await stage.press('pagedown');
	await stage.hear(/^20 of 24/);
	await stage.press('2');
	await stage.hear('billing.');
	await stage.hear(/^Credits \d/);
	await stage.hear(/^Pro: a computer sleeps after 30 minutes idle, yours$/);
	await stage.press('4');
	await stage.hear(/^Latest \d/);
	await stage.press('5');
	await stage.hear(/^Log, \d+ entries/);
	await stage.press('?');
	await stage.hear('Keys here:');
	await stage.hear('question mark: show or leave this help.');
	await stage.press('1');
	await stage.hear('fleet.');
});

test('the palette tells the best match, and does it only when Enter says so', async () => {
	const stage = await openSpokenMonitor();
	await stage.press(':', ...'stop');
	stage.clock.move(1000);
	await stage.hear(/^1 of \d+: Stop: stop it; files and processes are kept\.$/);
	expect(stage.lines().at(-1)).toBe('Command: stop');
	await stage.press('enter');
	await stage.hear('Stop atlas?');
	stage.clock.move(300);
	await stage.press('enter', 'n');
	await stage.hear('Question closed.');
});

test('a connection that is lost is told once, and so is that it is back', async () => {
	const stage = await openSpokenMonitor();
	stage.simulator.setFaults([{ where: '*', kind: 'reset' }]);
	await stage.pass(120_000);
	await stage.hear('No news from the platform: ');
	expect(stage.fresh().filter(line => line.startsWith('No news'))).toEqual([]);
	stage.simulator.setFaults([]);
	await stage.pass(120_000);
	await stage.hear(/^Connected again, after \d+ \w+/);
});

test('many that change by themselves are told as one', async () => {
	const stage = await openSpokenMonitor({ computers: 24 });
	for (const name of ['atlas', 'draco', 'fornax', 'hydra', 'kochab', 'norma']) {
		stage.simulator.world.fail(name, 'it broke');
	}
	await stage.pass(60_000);
	await stage.hear(/^\d computers became error: \w+, \w+, \w+ and \d more\.$/);
});

test('a read-only monitor says so and refuses, and a locked one asks first', async () => {
	const stage = await openSpokenMonitor({ isReadOnly: true });
	expect(stage.lines()[0]).toBe('crowsnest, watching test, read only.');
	await stage.press('x');
	await stage.hear('Read-only: nothing can be changed here');
	await stage.press(':', ...'stop', 'enter');
	await stage.hear('Read-only: nothing can be changed here');
	await stage.hear('Stop: stop it; files and processes are kept.');

	const open = await openSpokenMonitor();
	await open.press('L');
	await open.hear('locked: it goes on watching');
	await open.press('x');
	await open.hear('Unlock? y / n');
	open.clock.move(300);
	await open.press('y');
	await open.hear('Unlocked.');
});

test('leaving with something unsent asks, and sends nothing', async () => {
	const stage = await openSpokenMonitor();
	await stage.press('x');
	stage.clock.move(300);
	await stage.press('y', 'q');
	await stage.hear('Quitting cancels');
	await stage.hear('stop atlas');
	await stage.hear('Quit y, stay n');
	stage.clock.move(300);
	await stage.press('y');
	expect(stage.endings).toEqual([{ kind: 'quit' }]);
	expect(sent(stage, '/stop')).toEqual([]);
});

test('a copy tells the text, for no clipboard is spoken to', async () => {
	const stage = await openSpokenMonitor();
	await stage.press('y');
	await stage.hear(stage.simulator.world.named('atlas').id);
});

test('a password is asked for, and nothing of it is ever told', async () => {
	const stage = await openSpokenMonitor({ isAsking: true });
	await stage.hear('Sign in to test');
	await stage.hear('The password is sent there once and never stored.');
	const { password } = stage.simulator;
	await stage.press(...'/web', 'enter');
	stage.clock.move(300);
	await stage.press(...password);
	expect(stage.lines().at(-1)).toBe('Password, not shown: ');
	await stage.press('enter');
	await stage.pass(5000);
	await stage.hear(/^7 computers: /);
	expect(stage.lines().join('\n')).not.toContain(password);
	expect(stage.lines().join('\n')).not.toContain(password.slice(0, 3));
});
