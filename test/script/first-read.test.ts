import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fetch } from '../../source/foundation/network.ts';
import { type AccountReader, withFirstRead } from '../../source/script/read-account.ts';
import { pathsOf } from '../../source/session/host.ts';
import { createOperateHost, startSimulator } from '../cli/host.ts';

async function hostThatKnowsTheFleet() {
	const simulator = await startSimulator({ computers: 6 });
	const host = createOperateHost(simulator);
	await host.run('list');
	const folder = join(pathsOf(host.host).statePath, 'journal');
	const [name = ''] = readdirSync(folder).filter(each => each.startsWith('fleet-'));
	return { simulator, host, snapshot: join(folder, name) };
}

/** Gives every computer of a kept fleet a reason for its stop, which no list of the platform tells. */
function addStopReason(snapshot: string) {
	const lines = readFileSync(snapshot, 'utf8').trimEnd().split('\n');
	const changed = lines.map(line => {
		const value = JSON.parse(line);
		if (value.type !== 'fleetRecalled') return line;
		const computers = value.computers.map((each: object) => ({ ...each, stopReason: 'credits' }));
		return JSON.stringify({ ...value, computers });
	});
	writeFileSync(snapshot, `${changed.join('\n')}\n`);
}

test('list sends its request before it loads the last known fleet', async () => {
	const { host, simulator, snapshot } = await hostThatKnowsTheFleet();
	const { fetch } = host.host;
	const fetchThatChangesFleet: Fetch = (...request) => {
		addStopReason(snapshot);
		return fetch(...request);
	};
	host.host.fetch = fetchThatChangesFleet;
	host.host.nextTurn = () => new Promise(setImmediate);
	const { out } = await host.run('list');
	expect(simulator.requests.filter(({ path }) => path.endsWith('/sandbox'))).toHaveLength(2);
	expect(out).toMatch(/cygnus .*out of credits/);
});

test('list folds an answer into the last known fleet, however early the answer comes', async () => {
	const { host, snapshot } = await hostThatKnowsTheFleet();
	addStopReason(snapshot);
	host.host.nextTurn = async () => {
		for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
	};
	const { out } = await host.run('list');
	expect(out).toMatch(/cygnus .*out of credits/);
});

test('the first read is sent once, and later reads of the same name are sent again', async () => {
	const sent: string[] = [];
	const reader = {
		async read(name: string) {
			sent.push(name);
			return undefined;
		},
	} as unknown as AccountReader;
	const { read } = withFirstRead(reader, 'list');
	expect(sent).toEqual(['list']);
	await read('credits');
	await read('list');
	expect(sent).toEqual(['list', 'credits']);
	await read('list');
	expect(sent).toEqual(['list', 'credits', 'list']);
});
