import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountKey } from '../../../source/accounts/credentials.ts';
import { writeFleet } from '../../../source/journal/fleet-file.ts';
import { type CommandResult, createOperateHost, startSimulator } from '../host.ts';

const names = [
	'atlas',
	'my box',
	"it's",
	'$(touch pwned)',
	'-rf',
	'web',
	'web',
	'a"b;c',
	'bo\trder',
	'new\nline',
	'red\u001b[31m',
	'\u202eevil',
];

/** Creates a host with a snapshot of these computers from an earlier run. */
async function hostThatKnows() {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	const computers = names.map((name, place) => ({
		reading: { id: `sb_${place}`, name, status: 'active', ports: [{ port: 8080 + place }] },
		seenAt: 1,
	}));
	const account = accountKey({ baseUrl: simulator.baseUrl, user: simulator.email });
	const fact = { account, at: 1, type: 'recalled', computers } as const;
	writeFleet(join(host.folder, 'state/log'), account, [fact]);
	return { simulator, host };
}

function wordsOf({ code, out, err }: CommandResult): readonly string[] {
	expect({ code, err }).toEqual({ code: 0, err: '' });
	return out.split('\n').flatMap(line => (line === '' ? [] : (line.split('\t')[0] ?? '')));
}

test('completion offers the computers of the last known fleet, without a request', async () => {
	const { simulator, host } = await hostThatKnows();
	// A computer is offered by its id if its name is not unique, begins with a dash or cannot be typed.
	expect(wordsOf(await host.run('complete', '--', 'stop', ''))).toEqual([
		...['atlas', 'my box', "it's", '$(touch pwned)', 'sb_4', 'sb_5', 'sb_6', 'a"b;c'],
		...['sb_8', 'sb_9', 'sb_10', 'sb_11'],
	]);
	const { out } = await host.run('complete', '--', 'stop', 'sb_0');
	expect(out).toContain('sb_0\tatlas, active\n');
	// Nothing that would change the terminal is offered as a value of a filter either.
	const values = wordsOf(await host.run('complete', '--', 'list', '--filter', 'name:'));
	expect(values).toContain('name:web');
	expect(values.join()).not.toMatch(/[\u001b\u202e]/);
	expect(simulator.requests).toEqual([]);
});

test('completion prints no error into the command line of the shell', async () => {
	const { host } = await hostThatKnows();
	const journal = join(host.folder, 'state/log');
	const [snapshot = ''] = readdirSync(journal);
	for (const contents of ['{"version":99}\n{}', '{"version":1}\n{"type":"fleetRec', '\0']) {
		writeFileSync(join(journal, snapshot), contents);
		expect(wordsOf(await host.run('complete', '--', 'stop', ''))).toEqual([]);
	}
	host.configure('[[[');
	for (const words of [
		['stop', ''],
		['stop', '--profile', ''],
	]) {
		expect(wordsOf(await host.run('complete', '--', ...words))).toEqual([]);
	}
	expect(wordsOf(await host.run('complete', '--', 'sto'))).toContain('stop');
	expect((await host.run('complete', '--')).err).toBe('');
});
