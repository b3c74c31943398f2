// Measures the time from a key to the frame that follows it, on small and on large fleets.
import { percentile } from '../soak/figures.js';
import { createTable, median } from './figures.js';
import { measureFrames } from './frames.js';
import { createHome, keyDelays, openReadySession, pressKeys } from './session.js';

const times = (count, ...keys) => Array.from({ length: count }, () => keys).flat();
const backspace = '\u007F';

/** The keys of each walk return to where they began. The keys in `before` and `after` are not measured. */
export const keyWalks = [
	{ name: 'cursor', keys: times(4, 'j', 'k') },
	{ name: 'page', keys: [...times(4, '\u001B[6~'), ...times(4, '\u001B[5~')] },
	{ name: 'sort', keys: times(2, '>', '>', '<', '<') },
	{
		name: 'filter',
		before: '/',
		keys: [...'atl', ...times(3, backspace)],
		after: '\u001B',
	},
];

const samples = 120;

export async function measureKeys(program) {
	const table = createTable('From key to frame (median, p95) and bytes written');
	for (const computers of [10, 1000, 10_000]) {
		const home = createHome();
		try {
			const words = [program, '--demo', '--computers', String(computers)];
			const session = await openReadySession(words, home.env, Math.min(20, computers - 1));
			// A small fleet has no second page, so the page keys are left out.
			const some = keyWalks.filter(({ name }) => name !== 'page' || computers > 100);
			for (const walk of some) await measureWalk(table, session, computers, walk);
			await session.close();
		} finally {
			home.remove();
		}
	}
	return table;
}

/** `fleet` is the number of computers, or a phrase for the fleet of 10,000 computers. */
export async function measureWalk(table, session, fleet, { name, keys, before, after }) {
	const pressUnmeasured = async key => {
		session.press(key);
		await measureFrames(session, await session.settle(200));
	};
	if (before) await pressUnmeasured(before);
	// The keys are pressed once without measuring, so that the code that they use is compiled.
	await keyDelays(session, keys);
	const answers = await pressKeys(session, keys);
	const waits = await keyDelays(session, times(samples / keys.length, ...keys));
	if (after) await pressUnmeasured(after);
	const [middle, slow] = [median(waits), percentile(waits, 0.95)];
	const ratio = median(answers.map(each => each.bytes / Math.max(1, each.fewest)));
	const bytes = `${median(answers.map(each => each.bytes))} B × ${ratio.toFixed(2)}`;
	const value = `${middle.toFixed(1)}, ${slow.toFixed(1)} ms; ${bytes}`;
	const isNumber = typeof fleet === 'number';
	const what = `${name}, ${isNumber ? `${fleet.toLocaleString('en')} computers` : fleet}`;
	const most = isNumber && fleet < 10_000 ? 12 : 16;
	table.addRow(what, value, `at most 4 ms, ${most} ms`, middle <= 4 && slow <= most);
}
