import { expect, test } from 'vitest';
import { createRequestLog } from '../../source/simulator/respond.ts';

test('the request log drops the oldest request after ten thousand requests', () => {
	const { requests, add } = createRequestLog();
	const request = { method: 'GET', path: '/', scope: 'other' } as const;
	for (let at = 0; at < 10_002; at++) add({ ...request, arrivedAt: at })(200);
	expect([requests.length, requests[0]?.arrivedAt]).toEqual([10_000, 2]);
});
