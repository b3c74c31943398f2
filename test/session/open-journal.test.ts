import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openJournalOf } from '../../source/session/session.ts';
import { logPath } from '../../source/session/state-folder.ts';
import { createStore } from '../../source/store/store.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { createTestHost } from '../cli/host.ts';

test('each operation that is sent without a line in the journal is told, and a batch once', async () => {
	const store = createStore();
	const { host } = createTestHost();
	const told: string[] = [];
	const recorder = { isRecorder: () => true, onBecoming: () => () => {} };
	mkdirSync(dirname(logPath(host)), { recursive: true, mode: 0o700 });
	const tell = (message: string) => told.push(message);
	const journal = openJournalOf(host, { account: 'one', store, recorder }, tell);
	writeFileSync(logPath(host), 'a file in the way');
	function send(key: string, name: string, batch?: string) {
		const wish = { key, operation: 'stop', computer: key, name, ...(batch && { batch }) };
		store.receive([{ account: 'one', at: 2, ...operationChanged(wish, 'sent', { sent: 2 }) }]);
	}
	send('1', 'atlas');
	send('2', 'draco');
	send('3', 'vega', 'batch');
	send('4', 'lyra', 'batch');
	journal.close();
	expect(told.filter(message => message.includes('is sent'))).toEqual([
		expect.stringMatching(/^Stop of atlas is sent, but the journal cannot note it: /),
		expect.stringMatching(/^Stop of draco is sent, /),
		expect.stringMatching(/^Stop of vega is sent, /),
	]);
});
