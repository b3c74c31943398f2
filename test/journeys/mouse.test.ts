import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';

const lineOf = (stage: Monitor, text: string | RegExp) =>
	stage
		.lines()
		.findIndex(line => (typeof text === 'string' ? line.includes(text) : text.test(line)));

async function click(stage: Monitor, text: string, x = 10) {
	stage.point('press', x, lineOf(stage, text));
	await stage.pass(0);
}

test('a click moves the cursor to the row that is there, and a second one opens it', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await click(stage, 'cygnus');
	await stage.see('❯ cygnus');
	await click(stage, 'cygnus');
	await stage.see(/^ cygnus +sb_/m);
});

test('a click beside the rows is nobody’s', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	for (let y = 0; y < 36; y += 1) {
		if (/atlas|borealis|cygnus|draco|eridanus|fornax|gemini/.test(stage.lines()[y] ?? '')) continue;
		stage.point('press', 10, y);
	}
	stage.point('press', 500, 500);
	await stage.pass(1000);
	await stage.see('❯ atlas');
});

test('the wheel moves the cursor by three, and scrolls what is open', async () => {
	const stage = await openMonitor({ computers: 24, size: [160, 20] });
	await stage.see('❯ atlas');
	stage.point('wheelDown', 10, 8);
	stage.point('wheelDown', 10, 8);
	await stage.see('❯ gemini');
	stage.point('wheelUp', 10, 8);
	await stage.see('❯ draco');
	await stage.press('enter');
	await stage.see('draco  sb_');
	stage.point('wheelDown', 10, 8);
	await stage.see('gemini  sb_');
	stage.point('wheelDown', 150, 8);
	await stage.see('3 above');
	await stage.see('❯ gemini');
});

test('the row that was clicked is the one that was drawn there, also in a scrolled table', async () => {
	const stage = await openMonitor({ computers: 24, size: [100, 20] });
	await stage.see('❯ atlas');
	await stage.press('pagedown', 'pagedown');
	await stage.pass(0);
	const y = lineOf(stage, '❯') - 2;
	const name = stage.lines()[y]?.trim().split(' ')[0] ?? '';
	stage.point('press', 10, y);
	await stage.see(`❯ ${name}`);
});

test('no click answers a question, chooses a command or asks for anything', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	await stage.press('x');
	await stage.see('Stop atlas?');
	stage.clock.move(1000);
	for (let y = 0; y < 36; y += 1) for (const x of [2, 30, 60, 90]) stage.point('press', x, y);
	await stage.pass(1000);
	await stage.see('Stop atlas?');
	await stage.press('escape', ':', ...'stop');
	await stage.see('❯ Stop: stop it');
	for (let y = 0; y < 36; y += 1) stage.point('press', 30, y);
	await stage.pass(10_000);
	await stage.see('❯ Stop: stop it');
	await stage.press('escape');
	await stage.see('❯ atlas');
	expect(stage.simulator.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1);
});

test('a click that comes when all is of another size does no harm', async () => {
	const stage = await openMonitor();
	await stage.see('gemini');
	const y = lineOf(stage, 'fornax');
	stage.resize(40, 8);
	await stage.idle();
	stage.point('press', 10, y);
	stage.resize(20, 4);
	await stage.idle();
	stage.point('press', 1, 1);
	stage.resize(120, 36);
	await stage.see('❯ atlas');
});
