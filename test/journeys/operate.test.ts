import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const state = (stage: Monitor, name: string) => stage.simulator.world.named(name).state;

const sent = (stage: Monitor, ending: string) =>
	stage.simulator.requests.filter(({ path }) => path.endsWith(ending));

test('one key never stops anything, and neither does a key that came too early', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('x', 'y');
	await stage.see('Stop atlas?');
	await stage.pass(10_000);
	expect(sent(stage, '/stop')).toEqual([]);
	await stage.press('n');
	await stage.see('Question closed.');
	expect(state(stage, 'atlas')).toBe('active');
});

test('a stop is asked, counted down, sent, and followed to its end', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('x');
	await stage.see('Files and processes are kept.');
	await stage.see('crowsnest stop atlas --yes');
	await stage.answer('y');
	await stage.see('Stopping in 4 s, Esc to keep it');
	expect(sent(stage, '/stop')).toEqual([]);
	await stage.pass(5000);
	await stage.see(/atlas +◐ Stopping +Stopping \d/);
	expect(sent(stage, '/stop')).toHaveLength(1);
	await stage.pass(15_000);
	await stage.see(/atlas +○ Stopped/);
	await stage.see('you stopped atlas');
});

test('a delete wants the name typed, and nothing less', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('D');
	await stage.see('Type its name to delete it:');
	await stage.answer('y', 'enter');
	await stage.see('that is not atlas');
	await stage.press('ctrl-u', 'a', 't', 'l', 'a', 's', 'enter');
	await stage.see(/Deleting in \d s/);
	await stage.pass(12_000);
	await stage.see('6 computers');
	expect(() => stage.simulator.world.named('atlas')).toThrow();
	await stage.see('you deleted atlas');
});

test('a question is about the computer that was there when it opened', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('x');
	await stage.see('Stop atlas?');
	stage.simulator.world.add({ name: 'aaa' });
	stage.simulator.world.remove('cygnus');
	await stage.pass(10_000);
	await stage.see('aaa');
	await stage.press('y');
	await stage.pass(6000);
	expect(sent(stage, '/stop').map(({ path }) => path)).toEqual([
		`/v1/platform/sandbox/${stage.simulator.world.named('atlas').id}/stop`,
	]);
});

test('what changes while a question is open is said in it', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('x');
	stage.simulator.world.fail('atlas', 'it broke');
	await stage.pass(10_000);
	await stage.see('Meanwhile atlas is error now.');
});

test('many at once want their number typed, and show how far they are', async () => {
	const stage = await openMonitor({ computers: 24, limits: { other: 12 } });
	await stage.see('xuange');
	await stage.press('/status:active', 'enter', 'a');
	await stage.see('17 marked');
	await stage.press('x');
	await stage.see('Type stop 17:');
	await stage.answer(...'stop 17', 'enter');
	await stage.pass(5000);
	await stage.see(/Stopping 17 .* waiting/);
	await stage.pass(300_000);
	await stage.see('Stopped 17 of 17');
	expect(sent(stage, '/stop')).toHaveLength(17);
	await stage.press('escape');
	await stage.pass(1000);
	expect(stage.text()).not.toContain('Stopped 17 of 17');
});

test('a locked monitor asks to be unlocked before anything else', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('L', 'x');
	await stage.see('Unlock? y / n');
	await stage.answer('y', 'x');
	await stage.see('Stop atlas?');
});

test('what makes no sense for a computer is refused with its reason', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('s');
	await stage.see('atlas: it is running already');
});

test('the palette finds an operation by its name, and its question is no less careful', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press(':', ...'stop');
	await stage.see(/❯ Stop: stop it/);
	await stage.press('enter');
	await stage.see('Stop atlas?');
	await stage.answer('enter', 'n');
	await stage.see('Question closed.');
	await stage.press(':', ...'nothing at all', 'escape');
	await stage.see('SEEN');
});

test('the palette stops at its ends, and Enter does the one that is marked', async () => {
	const stage = await openMonitor();
	const marked = () => /│ ❯ (.+?) {2}/.exec(stage.text())?.[1];
	const press = (key: string, times: number) =>
		stage.press(...Array.from({ length: times }, () => key));
	await stage.see('gemini');
	await stage.press(':', ...'show', 'up');
	expect(marked()).toBe('Show: fleet');
	await press('down', 30);
	const last = marked();
	await stage.press('down');
	expect(marked()).toBe(last);
	await stage.press('up');
	expect(marked()).not.toBe(last);
	await press('up', 30);
	expect(marked()).toBe('Show: fleet');
	await press('down', 3);
	expect(marked()).toBe('Show: versions');
	await stage.press('enter');
	await stage.see('Versions');
});

test('a published port is visited when asked for, and what was found is told', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('v');
	await stage.see('answers');
	await stage.press('escape', 'j', 'v');
	await stage.see('it publishes no port');
});
