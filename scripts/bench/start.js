// Measures the time from the start of the process to the first frame, with and without a snapshot.
import { createTable, median } from './figures.js';
import { openPlatform } from './platform.js';
import { createHome, firstFrame, nodeAlone, openedSession } from './session.js';

export async function measureStart(program) {
	const table = createTable('Start, with an account of 1,000 computers');
	const home = createHome();
	const platform = await openPlatform(home.folder, {
		computers: 1000,
		limits: { create: 10_000, status: 10_000, other: 10_000 },
	});
	try {
		const env = { ...home.env, ...platform.env };
		await (await openedSession([program], env)).quit();
		const [alone, without, kept] = [[], [], []];
		for (let run = 0; run < 11; run++) {
			alone.push(await nodeAlone(env));
			const withoutSnapshot = { ...env, CROWSNEST_STATE_DIR: `${home.folder}/empty-${run}` };
			without.push(await firstFrame([program], withoutSnapshot));
			kept.push(await firstFrame([program], env));
		}
		const node = median(alone);
		const times = starts => {
			const [frame, fleet] = ['frame', 'fleet'].map(key => median(starts.map(each => each[key])));
			return [frame, fleet].map(time => `${time.toFixed(0)} ms = ${(time / node).toFixed(1)} ×`);
		};
		table.addRow('node -e 0', `${node.toFixed(0)} ms`);
		for (const [what, starts] of [
			['without a snapshot', without],
			['with a snapshot', kept],
		]) {
			const [frame, fleet] = times(starts);
			table.addRow(`${what}: first frame`, frame);
			table.addRow(`${what}: all rows`, fleet);
		}
	} finally {
		await platform.close();
		home.remove();
	}
	return table;
}
