import { expect, test } from 'vitest';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { fold } from '../../source/store/fold.ts';
import { shownOperationByComputer } from '../../source/store/selectors.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';

const shownAfter = (...bodies: readonly FactBody[]) => {
	const facts = bodies.map((body, at): Fact => ({ account: 'a', at, ...body }));
	const { operations } = facts.reduce(fold, emptyState).accounts.get('a') ?? emptyAccount;
	return shownOperationByComputer(operations).get('sb_1')?.spec.operation;
};

const asked = (key: string, operation: string, until?: number): FactBody =>
	operationChanged(
		{ key, operation, computer: 'sb_1' },
		until === undefined ? 'queued' : 'counting',
		{ until },
	);

test('a row shows the countdown of a stop although an own command was asked for later', () => {
	const command = { key: 'k2', operation: 'command ping', computer: 'sb_1' };
	const sent = operationChanged(command, 'sent', { sent: 2 });
	const failure = createFailure('invalid', 'ended with code 1');
	const failed = operationChanged(command, 'failed', { sent: 2, ended: 3 }, { failure });
	const stop = asked('k1', 'stop', 5_000);
	const stopOf = { key: 'k1', operation: 'stop', computer: 'sb_1' };
	const stopSent = operationChanged(stopOf, 'sent', { sent: 4 });
	const ping = asked('k2', 'command ping');
	expect(shownAfter(stop, ping, sent)).toBe('stop');
	expect(shownAfter(stop, ping, sent, failed)).toBe('stop');
	expect(shownAfter(stop, ping, sent, failed, stopSent)).toBe('stop');
	expect(shownAfter(ping, sent, failed)).toBe('command ping');
	expect(shownAfter(ping, sent, asked('k3', 'restart'))).toBe('restart');
});
