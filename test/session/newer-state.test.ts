import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountKey } from '../../source/accounts/credentials.ts';
import { createScreenKeeper } from '../../source/monitor/screen-persistence.ts';
import { homeView, initialOrderings } from '../../source/screen/view-table.ts';
import { createOperateHost, startSimulator } from '../cli/host.ts';

const saved = { filter: '', ordering: initialOrderings.fleet, view: homeView, columns: undefined };

async function hostThatListed() {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	expect(await host.run('start', 'cygnus', '--yes')).toMatchObject({ code: 0 });
	const state = join(host.folder, 'state');
	const account = accountKey({ baseUrl: simulator.baseUrl, user: simulator.email });
	return { simulator, host, state, account };
}

const texts = (folder: string) =>
	Object.fromEntries(
		readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]),
	);

test('the journal and the fleet of a newer version are left unchanged, and the program says so', async () => {
	const { host, state } = await hostThatListed();
	const folder = join(state, 'journal');
	for (const name of readdirSync(folder)) {
		writeFileSync(join(folder, name), '{"version":2,"whatever":"it holds"}\n');
	}
	const before = texts(folder);
	expect(Object.keys(before)).toHaveLength(2);
	const { code, err } = await host.run('stop', 'atlas', '--yes');
	expect(code).toBe(0);
	expect(err).toMatch(
		/Cannot save the last known fleet: .*was written by a newer version of crowsnest/,
	);
	expect(err).toMatch(/Cannot save the journal: .*was written by a newer version of crowsnest/);
	expect(texts(folder)).toEqual(before);
	const log = await host.run('log');
	expect(log.err).toContain(
		'A newer version of crowsnest wrote part of the journal. That part is not shown',
	);
});

test('the saved screen of a newer version is neither used nor replaced', async () => {
	const { state, account } = await hostThatListed();
	const folder = join(state, 'journal');
	createScreenKeeper(folder, account).save({ ...saved, filter: 'atlas' });
	const path = join(folder, readdirSync(folder).find(name => name.startsWith('screen')) ?? '');
	expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version: 1, filter: 'atlas' });
	const newer = '{"version":2,"filter":"draco"}\n';
	writeFileSync(path, newer);
	const troubles: string[] = [];
	const keeper = createScreenKeeper(folder, account, message => troubles.push(message));
	expect(keeper.restore()).toEqual({});
	keeper.save({ ...saved, filter: 'cygnus' });
	expect(readFileSync(path, 'utf8')).toBe(newer);
	expect(troubles).toEqual([expect.stringContaining('newer version of crowsnest')]);
});
