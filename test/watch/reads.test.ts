import { expect, test } from 'vitest';
import { sendRead } from '../../source/watch/reads.ts';
import { serveResponses } from '../platform/loopback.ts';
import { platformAt, readOptions } from '../platform/platform-at.ts';

test('the list read reports how many records could not be decoded', async () => {
	const records = [{ sandbox_id: 'sb_one', status: 'active' }, { status: 'provisioning' }];
	const origin = await serveResponses((_, response) =>
		response.end(JSON.stringify({ items: records })),
	);
	expect(await sendRead(platformAt(origin).platform, 'list', readOptions())).toEqual({
		fact: {
			type: 'listRead',
			computers: [{ id: 'sb_one', status: 'active' }],
			unreadable: 1,
		},
		requestCount: 1,
	});
});
