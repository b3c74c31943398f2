import { expect, test } from 'vitest';
import { createRequestLog } from '../../source/simulator/request-log.ts';

test('drops the oldest requests from the log', () => {
	const { requests, add } = createRequestLog();
	const request = { method: 'GET', path: '/', scope: 'other' } as const;
	for (let at = 0; at < 10_002; at++) add({ ...request, at })(200);
	expect([requests.length, requests[0]?.at]).toEqual([10_000, 2]);
});
