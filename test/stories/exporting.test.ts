import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportedView } from '../../source/script/export-view.ts';
import { columns } from '../../source/views/fleet/columns.ts';
import { initialScreen } from '../../source/views/look/screen.ts';
import { computerFields } from '../../source/views/records.ts';
import { accountAfter, fact, listRead } from '../arbitraries/sample-facts.ts';
import { startSimulator } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';
import { boxComputer, now } from '../operations/ask-question.ts';
import { sampleScene } from '../rules/sample-scene.ts';

async function openHere(...accounts: readonly string[]) {
	const simulators = await Promise.all(accounts.map(() => startSimulator()));
	const profiles = Object.fromEntries(
		simulators.map((simulator, at) => [accounts[at] ?? '', { simulator }]),
	);
	const monitor = await openConfiguredMonitor({ profiles, words: ['--all-profiles'] });
	const { folder } = monitor;
	const files = () => readdirSync(folder).filter(name => name.startsWith('crowsnest-'));
	async function exported(command: string) {
		const before = files();
		await monitor.press(':', ...command, 'enter');
		const [name = ''] = files().filter(each => !before.includes(each));
		return name && readFileSync(join(folder, name), 'utf8');
	}
	await monitor.see('computers');
	return { ...monitor, simulators, files, exported };
}

test('an export has the rows that pass the filter in their order, is private, and never replaces a file', async () => {
	const monitor = await openHere('work');
	await monitor.press('/', '-cygnus', 'enter', 'o', 'n', '=');
	const csv = await monitor.exported('export csv');
	expect(csv.split('\n').map(line => line.split(',')[0])).toEqual([
		'name',
		'borealis',
		'atlas',
		'',
	]);
	expect(csv).toMatch(
		/^name,status,since,seenAt,stage,error,cpu,memory,.*\n.*,creating,.*\n.*,active,/,
	);
	const [name = ''] = monitor.files();
	const path = join(monitor.folder, name);
	expect(name).toMatch(/^crowsnest-fleet-\d{4}-\d\d-\d\dT\d{6}Z\.csv$/);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	await monitor.see(`Wrote 2 rows to ${name}`);
	writeFileSync(path, 'mine');
	await monitor.exported('export csv');
	await monitor.see(`Cannot write ${name}: it exists already`);
	expect(readFileSync(path, 'utf8')).toBe('mine');
});

test('an export of several accounts names them, and has the records that list --json prints', async () => {
	const monitor = await openHere('work', 'lab');
	const records = JSON.parse(await monitor.exported('export json'));
	expect(records).toHaveLength(6);
	expect(records).toContainEqual(
		expect.objectContaining({
			account: 'lab',
			name: 'atlas',
			phase: 'active',
			notRead: expect.any(Array),
		}),
	);
	await monitor.press('3', '/', 'context:>128k', 'enter');
	const models = await monitor.exported('export md');
	expect(models).toMatch(
		/^\| id \| owner \| contextWindow \| inputPrice \| outputPrice \|\n\| --- /,
	);
	expect(models.split('\n').length).toBeLessThan(12);
	monitor.simulators[1]?.world.fail('atlas', 'it broke');
	await monitor.pass(6_000);
	await monitor.press('5', '/', 'kind:failure', 'enter');
	expect(await monitor.exported('export csv')).toMatch(/^account,at,.*\nlab,.*,atlas,.*it broke/);
	await monitor.press('2');
	expect(await monitor.exported('export csv')).toBe('');
	await monitor.see('Billing has no rows to export');
	await monitor.press('1');
	await monitor.exported('copy md');
	await monitor.see('Copied 6 rows as MD');
	const copied = monitor.effects.copied.at(-1) ?? '';
	expect(copied).toMatch(/^\| ACCOUNT \| NAME \| STATUS \|/);
	expect(copied).toMatch(/\| atlas \| Error/);
	expect(copied).not.toMatch(/[^\u0020-\u007e\n]/);
});

test('a CSV has a value that a program can read for each column, under the names of the JSON', () => {
	const startedAt = now - 86_400_000;
	const ports = [{ port: 8080 }, { port: 3000 }];
	const cpu = 96.5;
	const computer = boxComputer(1, {
		name: 'atlas',
		location: 'eu',
		cpu,
		startedAt,
		createdAt: startedAt,
		ports,
	});
	const drawn = columns.filter(({ isDrawn }) => !isDrawn);
	const screen = { ...initialScreen(), columns: drawn.map(({ name }) => name) };
	const release = { version: '1.4.2', changes: [] };
	const state = accountAfter(
		listRead(now, [{ ...computer, version: '1.3.9' }]),
		fact(now, { type: 'answered', read: 'release', answer: release }),
	);
	const { text = '' } = exportedView(sampleScene(state, [120, 36], { screen }), 'csv') ?? {};
	const [names = [], values = []] = text.split('\n').map(line => line.split(','));
	const known = [...Object.keys(computerFields), ...['idleSeconds', 'since', 'seenAt', 'behind']];
	expect(known).toEqual(expect.arrayContaining(names));
	const row = Object.fromEntries(names.map((name, at) => [name, values[at]]));
	const started = new Date(startedAt).toISOString();
	expect(row).toMatchObject({
		name: 'atlas',
		location: 'eu',
		cpu: '96.5',
		startedAt: started,
		idleSeconds: '0',
	});
	const seenAt = new Date(now).toISOString();
	expect(row).toMatchObject({ ports: '8080 3000', since: started, seenAt, version: '1.3.9' });
	expect(row['behind']).toBe('true');
});

test('no name from outside becomes a formula, a cell of its own, or a link', () => {
	const names = ['=cmd()', '-2+3', 'a,"b"', '[a](http://b)|c'];
	const state = accountAfter(
		listRead(
			now,
			names.map((name, at) => boxComputer(at, { name })),
		),
	);
	const textIn = (format: 'csv' | 'md') => {
		const screen = { ...initialScreen(), columns: ['name'] };
		return exportedView(sampleScene(state, [120, 36], { screen }), format)?.text ?? '';
	};
	const cells = textIn('csv').split('\n').slice(1, -1);
	for (const cell of ["'=cmd()", "'-2+3", '"a,""b"""']) expect(cells.join('\n')).toContain(cell);
	expect(textIn('md')).toContain('| \\[a\\](http://b)\\|c |');
});
