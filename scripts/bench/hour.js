// Measures the memory of the program over an hour of key presses, with a clock that runs 20 times as fast.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildProgram, root } from '../build.js';
import { slopeOf } from '../soak/figures.js';
import { createTable, median, residentOf } from './figures.js';
import { createHome, openReadySession } from './session.js';

const speed = 20;
const minute = 60_000 / speed;
const keys = ['j', 'j', '\u001B[6~', 'k', '\u001B[5~', 'G', 'g', '>', '<', '2', '1', '5', '1'];

export async function measureHour() {
	const table = createTable('An hour of work with 1,000 computers');
	const home = createHome();
	try {
		const program = join(home.folder, 'fast.cjs');
		const entry = `${root}test/terminal/fast/main.ts`;
		await buildProgram({ entry, outfile: program, settledAfter: 10 * minute });
		const notes = join(home.folder, 'notes');
		const words = [program, '--demo', '--computers', '1000'];
		// The first start compiles the whole program. It keeps 15 MB more than each later start.
		await (await openReadySession(words, home.env)).quit();
		const probe = ['--import', `${root}scripts/soak/probe.js`];
		const session = await openReadySession([...probe, ...words], {
			...home.env,
			CROWSNEST_SOAK_NOTES: notes,
		});
		const resident = [];
		for (let passed = 0; passed < 60; passed++) {
			for (let press = 0; press < 10; press++) {
				session.press(keys[(passed * 10 + press) % keys.length]);
				await sleep(minute / 10);
				for (const { data } of session.take()) await session.show(data);
			}
			resident.push([passed, residentOf(session.pty.pid)]);
		}
		await session.close();
		// After ten minutes everything that loads at first use is in memory.
		const late = values => values.filter(([at]) => at >= 10);
		const found = readFileSync(notes, 'utf8')
			.trim()
			.split('\n')
			.map(line => JSON.parse(line));
		const points = pick =>
			found.map(note => [(note.at - found[0].at) / minute, pick(note) / 1024 / 1024]);
		const heap = points(note => note.heap);
		const perHour = values => {
			const { slope, error } = slopeOf(late(values));
			return { text: `${(slope * 60).toFixed(1)} ± ${(error * 60).toFixed(1)} MB`, slope, error };
		};
		const megabytes = points => `${median(points.map(([, value]) => value)).toFixed(0)} MB`;
		const lastMinutes = resident.slice(-10);
		const isSmall = median(lastMinutes.map(([, value]) => value)) <= 90;
		table.addRow(
			'memory in the last ten minutes',
			megabytes(lastMinutes),
			'at most 90 MB',
			isSmall,
		);
		table.addRow('heap after a garbage collection', megabytes(heap.slice(-10)));
		const { text, slope, error } = perHour(heap);
		table.addRow('growth of the heap in an hour', text, 'none', slope < 2 * error);
		table.addRow('of it compiled code', perHour(points(note => note.code)).text);
		table.addRow('of it the rest', perHour(points(note => note.heap - note.code)).text);
	} finally {
		home.remove();
	}
	return table;
}
