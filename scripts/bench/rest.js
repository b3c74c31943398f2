// Measures the program without key presses, on a quiet fleet and while computers are being created.
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, createTable } from './figures.js';
import { measureFrames } from './frames.js';
import { openPlatform } from './platform.js';
import { createHome, openReadySession } from './session.js';

const seconds = 20;

export async function measureRest(program) {
	const table = createTable('A second at rest, with 100 computers');
	for (const creating of [0, 3, 18]) {
		const home = createHome();
		const platform = await openPlatform(home.folder, { computers: 100 - creating });
		// These computers stay in creation. A computer that is created in the usual way would soon be ready.
		for (let at = 0; at < creating; at++) {
			platform.world.add({ name: `a-newcomer-${at}`, state: 'provisioning' });
		}
		try {
			const session = await openReadySession([program], { ...home.env, ...platform.env });
			await measureFrames(session, session.take());
			const before = cpuOf(session.pty.pid);
			await sleep(seconds * 1000);
			const cpu = (cpuOf(session.pty.pid) - before) / (seconds * 10);
			const rest = await measureFrames(session, session.take());
			const sum = key => Math.round(rest.reduce((all, each) => all + each[key], 0) / seconds);
			const ratio = (sum('bytes') / Math.max(1, sum('fewest'))).toFixed(2);
			const what = creating === 0 ? 'nothing happens' : `${creating} more are being created`;
			const bytes = `${sum('bytes')} B = ${sum('fewest')} B × ${ratio}`;
			table.addRow(`${what}: bytes`, bytes, 'at most 1.1 × the fewest', ratio <= 1.1);
			table.addRow(`${what}: CPU`, `${cpu.toFixed(1)} %`, 'at most 3 % of a core', cpu <= 3);
			await session.close();
		} finally {
			await platform.close();
			home.remove();
		}
	}
	return table;
}
