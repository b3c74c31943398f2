import { expect, test } from 'vitest';
import { readingFields } from '../../../source/fleet/computers/computer.ts';
import {
	detailReadingFrom,
	statusReadingFrom,
} from '../../../source/platform/decoding/decode-computer.ts';
import { computerListFrom } from '../../platform/decoding/computer-list.ts';
import { openSimulator, seconds } from '../open-simulator.ts';

test('the simulator reports every field of a computer, in the list, the record or the status', async () => {
	const { clock, get, path, world } = await openSimulator();
	world.add({ name: 'busy', ports: [8080] });
	world.add({ name: 'broken', state: 'error' });
	clock.move(seconds(1));
	const { id } = world.get('busy');
	const now = clock.now();
	const { body: list } = await get('/platform/sandbox');
	const { body: detail } = await get(path('busy'));
	const { body: status } = await get(`${path('busy')}/status`);
	const readings = [
		...(await computerListFrom(list, now)).computers,
		detailReadingFrom(detail, id, now),
		statusReadingFrom(status, id, now),
	];
	const isReported = (field: (typeof readingFields)[number]) =>
		readings.some(reading => reading[field] !== undefined && reading[field] !== null);
	expect(readingFields.filter(field => !isReported(field))).toEqual([]);
});
