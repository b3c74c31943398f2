// From the start of the process to the first picture, without an account's past and with it.
import { createTable, median } from './figures.js';
import { openPlatform } from './platform.js';
import { createHome, firstPicture, nodeAlone, openedSession } from './session.js';

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
			const nothingKept = { ...env, CROWSNEST_STATE_DIR: `${home.folder}/empty-${run}` };
			without.push(await firstPicture([program], nothingKept));
			kept.push(await firstPicture([program], env));
		}
		const node = median(alone);
		const times = starts => {
			const [picture, fleet] = ['picture', 'fleet'].map(of => median(starts.map(each => each[of])));
			return [picture, fleet].map(time => `${time.toFixed(0)} ms = ${(time / node).toFixed(1)} ×`);
		};
		table.tell('node -e 0', `${node.toFixed(0)} ms`);
		for (const [what, starts] of [
			['nothing kept', without],
			['a kept fleet', kept],
		]) {
			const [picture, fleet] = times(starts);
			table.tell(`${what}: first picture`, picture);
			table.tell(`${what}: all rows`, fleet);
		}
	} finally {
		await platform.close();
		home.remove();
	}
	return table;
}
