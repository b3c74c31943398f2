import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSimulator } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';

type WorkOptions = Partial<Omit<Parameters<typeof openConfiguredMonitor>[0], 'profiles'>> & {
	/** The number of computers that the table shows. */
	count?: number;
};

async function openWork({ count = 3, ...options }: WorkOptions = {}) {
	const work = await startSimulator();
	const lab = await startSimulator({ clock: work.clock });
	const monitor = await openConfiguredMonitor({
		profiles: { work: { simulator: work }, lab: { simulator: lab } },
		words: options.remembered ? [] : ['--profile', 'work'],
		...options,
	});
	await monitor.see(`${count} computers`);
	return { ...monitor, work, lab };
}

type Monitor = Awaited<ReturnType<typeof openWork>>;

const chooseAccount = ({ press }: Pick<Monitor, 'press'>, name: string) =>
	press(':', `account ${name}`, 'enter');

test('the palette adds the account of a profile to the running monitor, and takes it away again', async () => {
	const monitor = await openWork();
	expect(monitor.text()).not.toContain('ACCOUNT');
	await chooseAccount(monitor, 'lab');
	await monitor.pass(2_000);
	await monitor.see('6 computers');
	await monitor.see(/lab +atlas/);
	await chooseAccount(monitor, 'lab');
	await monitor.see('Took lab out of the table');
	await monitor.see('3 computers');
	await monitor.seeNo('ACCOUNT');
	const requestCount = monitor.lab.requests.length;
	await monitor.pass(10_000, 5_000);
	expect(monitor.lab.requests).toHaveLength(requestCount);
	expect(monitor.sessions.store.getState().accounts.size).toBe(1);
});

test('an account that was taken away and added again has its operations in the log', async () => {
	const monitor = await openWork();
	await chooseAccount(monitor, 'lab');
	await monitor.pass(2_000);
	await monitor.press('/', 'account:lab atlas', 'enter', 'r');
	await monitor.answer('y');
	await monitor.pass(20_000, 5_000);
	await monitor.press('escape');
	await chooseAccount(monitor, 'lab');
	await monitor.see('Took lab out of the table');
	await chooseAccount(monitor, 'lab');
	await monitor.pass(2_000);
	await monitor.press('5');
	await monitor.see(/lab\/atlas.*restarted/);
});

test('taking away an account with operations under way asks first, and cancels those that are not sent', async () => {
	const monitor = await openWork();
	await chooseAccount(monitor, 'lab');
	await monitor.pass(2_000);
	await monitor.press('/', 'account:lab atlas', 'enter', 'r');
	await monitor.answer('y');
	await chooseAccount(monitor, 'lab');
	await monitor.see('Take lab out of the table?');
	await monitor.see('restart lab/atlas');
	await monitor.answer('n');
	await monitor.see(/lab +atlas/);
	await chooseAccount(monitor, 'lab');
	await monitor.answer('y');
	await monitor.see('Took lab out of the table');
	await monitor.pass(10_000, 5_000);
	expect(monitor.operationRequests('lab')).toEqual([]);
	expect(monitor.operationRequests('work')).toEqual([]);
});

test('the only account stays, and a profile of the same account is not opened twice', async () => {
	const work = await startSimulator();
	const monitor = await openConfiguredMonitor({
		profiles: { work: { simulator: work }, copy: { simulator: work } },
		words: ['--profile', 'work'],
	});
	await chooseAccount(monitor, 'work');
	await monitor.see('work is the only account here');
	await chooseAccount(monitor, 'copy');
	await monitor.see('copy is the same account as work');
	await monitor.see('3 computers');
});

test('the accounts that were open last are saved for the next start, unless the command line chose them', async () => {
	const remembering = await openWork({ remembered: ['work'] });
	await chooseAccount(remembering, 'lab');
	await remembering.see('Added lab');
	const saved = readFileSync(join(remembering.folder, 'state', 'monitor', 'host.json'), 'utf8');
	expect(JSON.parse(saved).profiles).toEqual(['work', 'lab']);
	const chosen = await openWork();
	await chooseAccount(chosen, 'lab');
	await chosen.see('Added lab');
	expect(existsSync(join(chosen.folder, 'state', 'monitor', 'host.json'))).toBe(false);
});

test('an account that was added to those of the configuration is opened again at the next start', async () => {
	const top = ['profile = "work"'];
	const adding = await openWork({ words: [], top });
	await chooseAccount(adding, 'lab');
	await adding.see('Added lab');
	const saved = JSON.parse(
		readFileSync(join(adding.folder, 'state', 'monitor', 'host.json'), 'utf8'),
	);
	expect(saved).toEqual({ version: 1, addedProfiles: ['lab'] });
	await adding.closeAll();
	const next = await openWork({ words: [], top, added: ['lab', 'gone'], count: 6 });
	await next.see('ACCOUNT');
	await next.closeAll();
	const flagged = await openWork({ top, added: ['lab'] });
	expect(flagged.text()).not.toContain('ACCOUNT');
});

test('a problem with a file names its account when the table has several', async () => {
	const prepare = (folder: string) => chmodSync(join(folder, 'state/tokens/lab.json'), 0o644);
	const monitor = await openWork({ words: ['--all-profiles'], count: 3, prepare });
	expect(monitor.troubles).toEqual([
		expect.stringMatching(/^lab: Cannot read the token: .*lab\.json/),
	]);
});

test('an account that was taken away loses its marks', async () => {
	const monitor = await openWork();
	await chooseAccount(monitor, 'lab');
	await monitor.pass(2_000);
	await monitor.press('a');
	await monitor.see('6 marked');
	await chooseAccount(monitor, 'lab');
	await monitor.see('3 marked');
});
