import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FaultKind } from '../../source/simulator/endpoints/faults.ts';
import { startSimulator, startWorkAndLab } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';
import { openSeveralAccounts } from '../driver/several-accounts.ts';

const second = 1_000;

test('an operation is sent only to the account of the row under the cursor, which the quit dialog names', async () => {
	const monitor = await openSeveralAccounts();
	await monitor.press(':', 'stop atlas').see(/Stop atlas +sb_\w+ · lab · active +│/);
	await monitor.press('escape');
	await monitor.press('/', 'account:lab atlas', 'enter', 'x').see('Stop atlas?', 'Account lab');
	await monitor.see('crowsnest stop atlas --profile lab --yes');
	await monitor.answer('y');
	await monitor.press('q').see('stop lab/atlas');
	await monitor.answer('n');
	await monitor.pass(8 * second);
	expect(monitor.operationRequests('lab')).toEqual(['POST /atlas/stop 200']);
	expect(monitor.operationRequests('work')).toEqual([]);
	await monitor.see(/lab\/atlas/);
});

test('a question tells the skipped computers of one name apart by their accounts', async () => {
	const monitor = await openSeveralAccounts();
	await monitor.press('/', 'draco OR atlas', 'enter', 'a', 'x');
	await monitor.see(/Skipped 2 \(in error.*\): work\/draco, lab\/draco/);
});

test('a typed confirmation in production contains the name of the profile', async () => {
	const monitor = await openSeveralAccounts({
		accounts: { work: { isProduction: true }, lab: {} },
	});
	await monitor.press('/', 'account:work atlas', 'enter', 'D');
	await monitor.see('Type delete atlas work to delete it:');
	await monitor.answer('atlas', 'enter').see('That is not delete atlas work.');
	await monitor.press('escape');
	await monitor.press('/', 'ctrl-u', 'atlas', 'enter', 'a', 'r');
	await monitor.see('Type restart 2 work to restart them:');
});

test('the order by account puts the computers of each account together', async () => {
	const monitor = await openSeveralAccounts();
	const accountsOfRows = () =>
		[...monitor.text().matchAll(/^.{0,8}\b(lab|work) /gm)].map(([, account]) => account);
	await monitor.press('o', 'w').see('by account');
	expect(accountsOfRows()).toEqual([...Array(4).fill('lab'), ...Array(4).fill('work')]);
	await monitor.press('o', 'w');
	expect(accountsOfRows()).toEqual([...Array(4).fill('work'), ...Array(4).fill('lab')]);
});

test('creating a computer asks for the account first, suggests the account under the cursor, and then speaks of the chosen one only', async () => {
	const monitor = await openSeveralAccounts({ accounts: { work: {}, lab: { plan: 'free' } } });
	await monitor.press('/', 'account:lab', 'enter', 'n').see('Account (lab, work): lab');
	await monitor.answer('ctrl-u', 'nowhere', 'enter').see('Enter one of lab, work.');
	await monitor.press('ctrl-u', 'work');
	await monitor.see('work: Once ready', 'lab: Once ready');
	await monitor.answer('enter').see('crowsnest new --profile work --yes', '│ Once ready');
	await monitor.see('Account work');
	await monitor.seeNo('lab: ');
	await monitor.answer('enter', 'y');
	await monitor.pass(2 * second);
	expect(monitor.operationRequests('work')).toHaveLength(1);
	expect(monitor.operationRequests('lab')).toEqual([]);
});

test('a fault of the platform of an account never changes how often another account is read', async () => {
	const monitor = await openSeveralAccounts({
		accounts: { work: { computers: 2 }, lab: {} },
		size: [100, 12],
	});
	// Creations and first reads are over by then.
	await monitor.pass(60 * second, 20 * second);

	/** Counts the list reads of the other account while this account has the fault. */
	async function readsBeside(kind?: FaultKind) {
		monitor.platformOf('lab').setFaults(kind ? [{ target: '*', kind }] : []);
		const first = monitor.platformOf('work').requests.length;
		// Press a key, so that the monitor does not count as unattended.
		await monitor.press('j');
		await monitor.pass(40 * second, 4 * second);
		expect(monitor.text(), kind).toMatch(/work +atlas +● Active {2,}/);
		const requests = monitor.platformOf('work').requests.slice(first);
		return requests.filter(({ path }) => path.endsWith('/sandbox')).length;
	}

	const usual = await readsBeside();
	expect(usual).toBeGreaterThan(7);
	// The counts may differ slightly, because a read at the begin or the end may be outside of the time.
	for (const kind of ['hang', '500', 'crowded'] as const)
		expect(Math.abs((await readsBeside(kind)) - usual), kind).toBeLessThanOrEqual(2);
});

type WorkOptions = Partial<Omit<Parameters<typeof openConfiguredMonitor>[0], 'profiles'>> & {
	/** The number of computers that the table shows. */
	count?: number;
};

async function openWork({ count = 3, ...options }: WorkOptions = {}) {
	const { work, lab, profiles } = await startWorkAndLab();
	const monitor = await openConfiguredMonitor({
		profiles,
		words: options.remembered ? [] : ['--profile', 'work'],
		...options,
	});
	await monitor.see(`${count} computers`);
	return { ...monitor, work, lab };
}

type AtWork = Awaited<ReturnType<typeof openWork>>;

const chooseAccount = ({ press }: Pick<AtWork, 'press'>, name: string) =>
	press(':', `account ${name}`, 'enter');

async function addLab(monitor: AtWork) {
	await chooseAccount(monitor, 'lab').see('Added lab');
	await monitor.pass(2_000);
}

test('the palette adds the account of a profile to the running monitor, and takes it away again with its marks', async () => {
	const monitor = await openWork();
	await monitor.seeNo('ACCOUNT');
	await addLab(monitor);
	await monitor.see('6 computers', /lab +atlas/);
	await monitor.press('a').see('6 marked');
	await chooseAccount(monitor, 'lab').see('Took lab out of the table', '3 computers', '3 marked');
	await monitor.seeNo('ACCOUNT');
	const requestCount = monitor.lab.requests.length;
	await monitor.pass(10_000, 5_000);
	expect(monitor.lab.requests).toHaveLength(requestCount);
	expect(monitor.sessions.store.getState().accounts.size).toBe(1);
});

test('taking away an account with operations under way asks first, and cancels those that are not sent, and the others are in the log once it is added again', async () => {
	const monitor = await openWork();
	await addLab(monitor);
	await monitor.confirm('/', 'account:lab atlas', 'enter', 'r');
	await chooseAccount(monitor, 'lab').see('Take lab out of the table?', 'restart lab/atlas');
	await monitor.answer('n').see(/lab +atlas/);
	await monitor.pass(20_000, 5_000);
	expect(monitor.operationRequests('lab')).toEqual(['POST /atlas/restart 200']);
	await chooseAccount(monitor, 'lab').see('Took lab out of the table');
	await addLab(monitor);
	await monitor.press('5').see(/lab\/atlas.*restarted/);
	await monitor.confirm('1', 'r');
	await chooseAccount(monitor, 'lab').see('Take lab out of the table?');
	await monitor.answer('y').see('Took lab out of the table');
	await monitor.pass(10_000, 5_000);
	expect(monitor.operationRequests('lab')).toEqual(['POST /atlas/restart 200']);
	expect(monitor.operationRequests('work')).toEqual([]);
});

test('the only account stays, and a profile of the same account is not opened twice', async () => {
	const work = await startSimulator();
	const monitor = await openConfiguredMonitor({
		profiles: { work: { simulator: work }, copy: { simulator: work } },
		words: ['--profile', 'work'],
	});
	await chooseAccount(monitor, 'work').see('work is the only account here');
	await chooseAccount(monitor, 'copy').see('copy is the same account as work', '3 computers');
});

const savedHost = ({ folder }: AtWork) => join(folder, 'state', 'monitor', 'host.json');
const savedIn = (monitor: AtWork) => JSON.parse(readFileSync(savedHost(monitor), 'utf8'));

test('the accounts that were open last are saved for the next start, unless the command line chose them', async () => {
	const remembering = await openWork({ remembered: ['work', 'lab'], count: 6 });
	await chooseAccount(remembering, 'lab').see('Took lab out of the table');
	expect(savedIn(remembering)).toEqual({ version: 1, profiles: ['work'] });
	await addLab(remembering);
	expect(savedIn(remembering).profiles).toEqual(['work', 'lab']);
	const chosen = await openWork();
	await addLab(chosen);
	expect(existsSync(savedHost(chosen))).toBe(false);
});

test('an account that was added to those of the configuration is opened again at the next start', async () => {
	const top = ['profile = "work"'];
	const adding = await openWork({ words: [], top });
	await addLab(adding);
	expect(savedIn(adding)).toEqual({ version: 1, addedProfiles: ['lab'] });
	await adding.closeAll();
	const next = await openWork({ words: [], top, added: ['lab', 'gone'], count: 6 });
	await next.see('ACCOUNT');
	await next.closeAll();
	const flagged = await openWork({ top, added: ['lab'] });
	await flagged.seeNo('ACCOUNT');
});

test('a problem with a file names its account when the table has several', async () => {
	const prepare = (folder: string) => chmodSync(join(folder, 'state/tokens/lab.json'), 0o644);
	const monitor = await openWork({ words: ['--all-profiles'], prepare });
	expect(monitor.troubles).toEqual([
		expect.stringMatching(/^lab: Cannot read the token: .*lab\.json/),
	]);
});
