import { expect, test } from 'vitest';
import { actionsFor } from '../../source/monitor/open-monitor.ts';
import { replayActions } from '../../source/views/actions/replay.ts';
import { actions } from '../../source/views/actions/table.ts';
import { createTestHost } from '../cli/host.ts';

const own = (action: string, ...keys: readonly string[]) => ({
	keys: [{ action, keys }],
});

test('keys that are configured for replays do not change the keys of the monitor, and keys of the monitor do not change the keys of replays', () => {
	const { host } = createTestHost();
	const table = replayActions(actions);
	const keysOf = (id: string, all: typeof actions) => all.find(each => each.id === id)?.keys;
	expect(keysOf('pause', actionsFor(host, own('pause', 'z'), table))).toEqual(['z']);
	expect(actionsFor(host, own('pause', 'z'))).toEqual(actions);
	expect(actionsFor(host, own('markAll', 'z'), table)).toEqual(table);
	expect(keysOf('help', actionsFor(host, own('help', 'f1'), table))).toEqual(['f1']);
	expect(() => actionsFor(host, own('paws', 'z'))).toThrow(/keys: there is no action paws/);
	expect(() => actionsFor(host, own('help', ']'), table)).toThrow(/the key \] is bound twice/);
});
