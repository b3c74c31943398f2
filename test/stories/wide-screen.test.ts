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
	await monitor.see(`Id ${id}`);
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
