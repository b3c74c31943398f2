import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

const rows = 12;
const msPerKey = 80;

/** Holds j down on a screen of this width, and returns the computers whose records were read meanwhile and afterwards. */
async function holdDown(columns: number) {
	const monitor = await openMonitor({ computers: 24, size: [columns, 36] });
	await monitor.pass(20_000);
	const readSince = (count: number) =>
		monitor.simulator.requests
			.slice(count)
			.flatMap(({ method, path }) => (method === 'GET' ? (idIn(path) ?? []) : []));
	const idIn = (path: string) => /\/sandbox\/([^/?]+)$/.exec(path)?.[1];
	const before = monitor.simulator.requests.length;
	for (let key = 0; key < rows; key += 1) {
		await monitor.press('j');
		monitor.clock.move(msPerKey);
	}
	await monitor.idle();
	const whileHeld = readSince(before);
	const name = /❯ (\S+)/.exec(monitor.text())?.[1] ?? '';
	const rested = monitor.simulator.requests.length;
	await monitor.pass(3_000, 1_000);
	const afterwards = readSince(rested);
	return { monitor, whileHeld, afterwards, id: monitor.simulator.world.get(name).id };
}

test('on a wide screen the details stand beside the table, and follow the cursor without a request for each row', async () => {
	const narrow = await holdDown(120);
	const { monitor, whileHeld, afterwards, id } = await holdDown(240);
	expect(whileHeld.length).toBeLessThanOrEqual(narrow.whileHeld.length);
	expect(afterwards).toContain(id);
	await monitor.see(new RegExp(`${id} .*data \\d+ s old`));
	await monitor.see('NAME');
});

test('on a wide screen Enter gives the details the whole width, and Esc brings the table back', async () => {
	const monitor = await openMonitor({ size: [240, 36] });
	await monitor.see('NAME');
	await monitor.see(/CPU .*Memory/);
	await monitor.press('enter');
	await monitor.seeNo('NAME');
	await monitor.press('escape');
	await monitor.see('NAME');
	monitor.resize(120, 36);
	await monitor.idle();
	expect(monitor.text()).not.toMatch(/CPU .*Memory/);
});

test('on a tall screen, the views show the activity below their lines, and not once more above the keys', async () => {
	const monitor = await openMonitor({ size: [120, 50] });
	await monitor.pass(10_000);
	monitor.simulator.world.fail('atlas', 'it broke');
	await monitor.pass(10_000);
	const places = new Set<number>();
	for (const keys of [['2'], ['3'], ['4'], ['J'], ['1', 'G', 'enter']]) {
		await monitor.press(...keys);
		await monitor.see(/Problems of the fleet\n.*atlas: it broke/);
		await monitor.see(/Activity of the fleet\n.*atlas: active (for .* )?→ error/);
		expect(monitor.text().match(/active .*→ error/g)).toHaveLength(1);
		places.add(monitor.lines().findIndex(line => line.includes('Activity')));
	}
	expect([...places].filter(place => place >= 0).length).toBeLessThanOrEqual(3);
	await monitor.see(/ 100 │ .* 100 │/);
	monitor.resize(120, 24);
	await monitor.seeNo(' 100 │');
	await monitor.press('?');
	await monitor.seeNo('   Activity');
	await monitor.press('escape', '5');
	await monitor.seeNo('   Activity');
});

test('the details beside a long table show the activity in the lines that they leave free, and it is not said again', async () => {
	const monitor = await openMonitor({ computers: 60, size: [200, 60] });
	await monitor.pass(10_000);
	monitor.simulator.world.fail('gemini', 'it broke');
	await monitor.pass(10_000);
	await monitor.press('g');
	await monitor.see(/Problems of the fleet/);
	await monitor.see(/ {3}Activity of the fleet\n.*gemini: active.*→ error/);
	expect(monitor.lines().at(-2)?.trim()).toBe('');
	const few = await openMonitor({ computers: 7, size: [200, 60] });
	await few.pass(10_000);
	await few.see('   Activity');
	await few.seeNo('of the fleet');
});
