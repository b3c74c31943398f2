import { expect, test } from 'vitest';
import { changesOf, createOperateHost, startSimulator } from '../host.ts';

test('checkout does not repeat a request for a payment page whose response was lost', async () => {
	const simulator = await startSimulator({ faults: [{ target: 'checkout', kind: 'lost' }] });
	const { code, err } = await createOperateHost(simulator).run('checkout', '--yes');
	expect(code).toBe(1);
	expect(err).toContain('Sent, outcome unknown');
	expect(changesOf(simulator)).toHaveLength(1);
});
