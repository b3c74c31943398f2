import { expect, test } from 'vitest';
import { createPlatform } from '../../source/platform/platform.ts';
import { reads } from '../../source/watch/reads.ts';
import { createHeldClock } from '../held-clock.ts';
import { createOpenGate } from '../open-gate.ts';
import { serve } from '../platform/loopback.ts';

test('the list tells of the records in it that nobody could read', async () => {
	const records = [{ sandbox_id: 'sb_one', status: 'active' }, { status: 'provisioning' }];
	const origin = await serve((_, response) => response.end(JSON.stringify({ items: records })));
	const platform = createPlatform({
		baseUrl: `${origin}/v1`,
		credentials: { kind: 'token', token: 'secret-token' },
		clock: createHeldClock(),
		gate: createOpenGate(),
		fetch,
	});
	const asking = { signal: new AbortController().signal, priority: 'read' } as const;
	expect(await reads.list.ask(platform, asking)).toEqual({
		happening: {
			type: 'listRead',
			computers: [{ id: 'sb_one', status: 'active' }],
			unreadable: 1,
		},
		requests: 1,
	});
});
