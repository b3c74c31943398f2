import { expect, test } from 'vitest';
import { bindings } from '../../source/keys/bindings.ts';
import { replayBindings } from '../../source/keys/replay-bindings.ts';
import { bindingsFor } from '../../source/monitor/open-monitor.ts';
import { createTestHost } from '../cli/host.ts';

const own = (action: string, ...keys: readonly string[]) => ({
	keys: [{ action, keys }],
});

test('keys that are configured for replays do not change the keys of the monitor, and keys of the monitor do not change the keys of replays', () => {
	const { host } = createTestHost();
	const table = replayBindings(bindings);
	const keysOf = (action: string, all: typeof bindings) =>
		all.find(binding => binding.action === action)?.keys;
	expect(keysOf('pause', bindingsFor(host, own('pause', 'z'), table))).toEqual(['z']);
	expect(bindingsFor(host, own('pause', 'z'))).toEqual(bindings);
	expect(bindingsFor(host, own('markAll', 'z'), table)).toEqual(table);
	expect(keysOf('help', bindingsFor(host, own('help', 'f1'), table))).toEqual(['f1']);
	expect(() => bindingsFor(host, own('paws', 'z'))).toThrow(/keys: there is no action paws/);
	expect(() => bindingsFor(host, own('help', ']'), table)).toThrow(/the key \] is bound twice/);
});
