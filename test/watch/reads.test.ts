import { expect, test } from 'vitest';
import { readTable } from '../../source/watch/reads.ts';
import { serveResponses } from '../platform/loopback.ts';
import { platformAt, readOptions } from '../platform/platform-at.ts';

test('the list read reports how many records could not be decoded', async () => {
	const records = [{ sandbox_id: 'sb_one', status: 'active' }, { status: 'provisioning' }];
	const origin = await serveResponses((_, response) =>
		response.end(JSON.stringify({ items: records })),
	);
	expect(await readTable.list.send(platformAt(origin).platform, readOptions())).toEqual({
		fact: {
			type: 'listRead',
			computers: [{ id: 'sb_one', status: 'active' }],
			unreadable: 1,
		},
		requestCount: 1,
	});
});
