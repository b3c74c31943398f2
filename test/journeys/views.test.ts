import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

test('Enter shows a computer in full, keys of the table go on, and Esc goes back', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('enter');
	await stage.see(stage.simulator.world.named('atlas').id);
	await stage.see('sleeps after 30 min idle');
	await stage.see('/v1/p/');
	await stage.press('j');
	await stage.see(stage.simulator.world.named('borealis').id);
	await stage.press('escape');
	await stage.see('SEEN');
});

test('on a wide screen the details stand beside the table', async () => {
	const stage = await openMonitor({ size: [200, 40] });
	await stage.see('gemini');
	await stage.press('enter');
	await stage.see(stage.simulator.world.named('atlas').id);
	expect(stage.text()).toContain('gemini');
});

test('each view is one key away, and Tab goes through all of them', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('2');
	await stage.see('sleeps after 1 h idle');
	await stage.press('3');
	await stage.see('prices per million tokens');
	await stage.see(/\d\.\d\d/);
	await stage.press('4');
	await stage.see('behind');
	await stage.press('5');
	await stage.see('entries');
	await stage.press('tab');
	await stage.see('SEEN');
});

test('models are ordered by any column', async () => {
	const stage = await openMonitor();
	await stage.press('3');
	await stage.see('MODEL▲');
	await stage.press('>');
	await stage.see('OWNER▲');
	await stage.press('=');
	await stage.see('OWNER▼');
});

test('a payment page is opened after a question, and its address is copied', async () => {
	const stage = await openMonitor({ size: [120, 50] });
	await stage.see('gemini');
	await stage.press('2', 'o');
	await stage.see('Nothing is paid until you pay there.');
	await stage.see('crowsnest checkout --yes');
	expect(stage.simulator.requests.some(({ path }) => path.endsWith('/checkout'))).toBe(false);
	stage.clock.move(300);
	await stage.press('c');
	expect(stage.said.copied.shift()).toBe('crowsnest checkout --yes');
	await stage.press('y');
	await stage.see('y copies its address');
	await stage.see(/http:\/\/127\.0\.0\.1:\d+\/pay/);
	await stage.press('y');
	expect(stage.said.copied[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
	await stage.see('copied: the address of the payment page');
	await stage.press('b');
	await stage.see('crowsnest billing setup --yes');
});

test('a locked monitor opens no payment page before it is unlocked', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('L', '2', 'o');
	await stage.see('Unlock? y / n');
	stage.clock.move(300);
	await stage.press('n', 'o');
	await stage.see('Unlock? y / n');
	stage.clock.move(300);
	await stage.press('y', 'o');
	await stage.see('Nothing is paid until you pay there.');
	expect(stage.simulator.requests.some(({ path }) => path.endsWith('/checkout'))).toBe(false);
});

test('versions updates all that are behind, and says which it leaves out', async () => {
	const stage = await openMonitor();
	await stage.see('fornax');
	const [latest] = [stage.simulator.world.named('atlas').version];
	await stage.press('4');
	await stage.see('u update all that are behind');
	await stage.press('u');
	await stage.see(/Update (fornax|\d computers)/);
	await stage.see('Left out:');
	stage.clock.move(300);
	await stage.press('u');
	expect(stage.simulator.requests.some(({ path }) => path.endsWith('/update'))).toBe(false);
	await stage.press('y');
	await stage.pass(60_000);
	expect(stage.simulator.world.named('fornax').version).toBe(latest);
	await stage.press('u');
	await stage.see(/it is stopped/);
});

test('what the palette finds of another view is done there', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press(':', ...'all that are behind', 'enter');
	await stage.see('Versions');
	await stage.see(/Update (fornax|\d computers)/);
});

test('the log tells what happened, and is filtered by words', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	stage.simulator.world.fail('atlas', 'it broke');
	stage.simulator.world.add({ name: 'newcomer' });
	await stage.pass(20_000);
	await stage.press('5');
	await stage.see('newcomer is new');
	await stage.press('/', ...'atlas', 'enter');
	await stage.see(/atlas: active → error/);
	const log = stage.lines().slice(3, -4).join('\n');
	expect(log).toContain('atlas');
	expect(log).not.toContain('newcomer');
});

test('details that have no room are scrolled, and no farther than they go', async () => {
	const stage = await openMonitor({ size: [60, 15] });
	await stage.see('gemini');
	await stage.press('enter');
	await stage.see(/… \d+ below/);
	await stage.press('pagedown', 'pagedown', 'pagedown', 'pagedown');
	await stage.see(/… \d+ above$/m);
	await stage.press('pageup');
	await stage.see(/below/);
});

test('columns are chosen, seen at once, and given back', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('C');
	await stage.see('[x] STAGE');
	await stage.press('j', 'j', 'space');
	await stage.see('[ ] STAGE');
	await stage.press('escape');
	const titles = () => stage.lines().find(line => line.includes('NAME')) ?? '';
	expect(titles()).not.toContain('STAGE');
	await stage.press(':', ...'choose the columns', 'enter', 'G');
	await stage.see('[ ] STAGE');
	await stage.press('u', 'C');
	expect(titles()).toMatch(/NAME.*STATUS +STAGE +VERSION/);
});

test('R reads the models again where they are looked at, and nowhere else', async () => {
	const stage = await openMonitor();
	await stage.see('7 computers');
	const asked = () =>
		stage.simulator.requests.filter(({ path }) => path.endsWith('/models')).length;
	await stage.press('R');
	await stage.press('3');
	await stage.see('CONTEXT');
	expect(asked()).toBe(1);
	await stage.press('R');
	await stage.pass(1000);
	expect(asked()).toBe(2);
});
