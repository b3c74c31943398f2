import { expect, test } from 'vitest';
import { serveResponses } from './loopback.ts';
import { failureOf, platformAt, readOptions } from './platform-at.ts';

const created = '2026-01-02T03:04:05Z';
const atlas = { id: 'sb_1', name: 'atlas', status: 'active', cpu: 12, created_at: created };
const borealis = { id: 'sb_2', name: 'borealis', status: 'active', cpu: 5, created_at: created };

/** Opens a platform that answers each request for the list with the next of these bodies. */
async function openLists(...bodies: readonly string[]) {
	const rest = [...bodies];
	const origin = await serveResponses((_, response) => response.end(rest.shift()));
	const { platform } = platformAt(origin);
	return () => platform.listComputers(readOptions());
}

test('a computer that has not changed since the last list has the same reading, even at another place of the list', async () => {
	const list = await openLists(
		JSON.stringify([atlas, borealis]),
		JSON.stringify([{ ...borealis, cpu: 6 }, { name: 'without an id' }, atlas]),
	);
	const { computers: first } = await list();
	const [changed, same] = (await list()).computers;
	expect(same).toBe(first[0]);
	expect(changed).toStrictEqual({ ...first[1], cpu: 6 });
});

test('after a list that cannot be read, the next list reuses the readings of the last one that could', async () => {
	const list = await openLists(JSON.stringify([atlas]), '[{', JSON.stringify([atlas]));
	const { computers: first } = await list();
	await failureOf(list());
	expect((await list()).computers[0]).toBe(first[0]);
});
