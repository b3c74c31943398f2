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
	return { state, account };
}

test('the saved screen of a newer version is neither used nor replaced', async () => {
	const { state, account } = await hostThatListed();
	const folder = join(state, 'log');
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
