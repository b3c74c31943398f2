import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createJournal } from '../../source/journal/journal.ts';
import { createStore } from '../../source/store/store.ts';
import { usageCells, usageSpanMs } from '../../source/store/usage-history.ts';
import { createHeldClock } from '../held-clock.ts';
import { stateDirectory } from './state-directory.ts';

const minute = 60_000;
const account = 'work';

type Setup = { directory: string; clock: ReturnType<typeof createHeldClock> };

/** Opens the store and the journal of a monitor, or of a command, which does not recall the usage. */
async function open({ directory, clock }: Setup, kind: 'monitor' | 'command' = 'monitor') {
	const problems: string[] = [];
	const journal = createJournal({
		directory,
		clock,
		pid: 1,
		onProblem: ({ file, message }) => problems.push(`${file}: ${message}`),
	});
	const store = createStore();
	store.receive((await journal.recallFleet(account)).facts);
	const recalled = kind === 'monitor' ? journal.recallUsage(account) : undefined;
	store.receive(recalled?.facts ?? []);
	store.onFact(journal.onFact);
	const list = (cpu: number) =>
		store.receive([
			{
				account,
				at: clock.now(),
				type: 'listRead',
				computers: [{ id: 'sb_1', status: 'active', cpu, memory: 40 }],
			},
		]);
	const cpu = () => {
		const { usage } = store.getState().accounts.get(account) ?? {};
		return usage ? usageCells(usage, 'sb_1', 'cpu', clock.now(), 40) : [];
	};
	return { journal, list, cpu, problems, damagedLineCount: recalled?.damagedLineCount };
}

/** The names of the usage files. The folder appears with the first file. */
const usageFiles = (directory: string) =>
	existsSync(directory) ? readdirSync(directory).filter(name => name.startsWith('usage-')) : [];

async function watched(): Promise<
	Setup & { path: string; cpu: ReturnType<Awaited<ReturnType<typeof open>>['cpu']> }
> {
	const setup = { directory: await stateDirectory(), clock: createHeldClock() };
	const monitor = await open(setup);
	monitor.list(80);
	setup.clock.move(minute);
	monitor.list(20);
	await monitor.journal.close();
	const [name = ''] = usageFiles(setup.directory);
	return { ...setup, path: join(setup.directory, name), cpu: monitor.cpu() };
}

test('the CPU and memory of the last 30 minutes survive a restart, in a file for their owner only', async () => {
	const setup = await watched();
	expect(statSync(setup.path).mode & 0o777).toBe(0o600);
	const next = await open(setup);
	expect(next.cpu()).toEqual(setup.cpu);
	expect(next.cpu().filter(percent => percent !== undefined)).toHaveLength(2);
	expect(next.problems).toEqual([]);
});

test('usage that is older than 30 minutes, and that of another account, is not restored', async () => {
	const setup = await watched();
	setup.clock.move(usageSpanMs);
	expect((await open(setup)).cpu().every(percent => percent === undefined)).toBe(true);
});

test('a command that reads one list does not replace the usage that a monitor has saved', async () => {
	const setup = await watched();
	const before = readFileSync(setup.path, 'utf8');
	const command = await open(setup, 'command');
	command.list(5);
	await command.journal.close();
	expect(readFileSync(setup.path, 'utf8')).toBe(before);
});

test('the file is written every five minutes while the usage changes', async () => {
	const setup = { directory: await stateDirectory(), clock: createHeldClock() };
	const monitor = await open(setup);
	monitor.list(10);
	setup.clock.move(4 * minute);
	await monitor.journal.recallFleet(account);
	expect(usageFiles(setup.directory)).toEqual([]);
	setup.clock.move(minute);
	await expect.poll(() => usageFiles(setup.directory)).toHaveLength(1);
	await monitor.journal.close();
});

test('the file of a newer version is left alone, and the program says so', async () => {
	const setup = await watched();
	const newer = '{"version":2}\n{"whatever":"it holds"}\n';
	writeFileSync(setup.path, newer);
	const monitor = await open(setup);
	expect(monitor.cpu().every(percent => percent === undefined)).toBe(true);
	monitor.list(5);
	await monitor.journal.close();
	expect(readFileSync(setup.path, 'utf8')).toBe(newer);
	expect(monitor.problems[0]).toMatch(/^usage: .*was written by a newer version of crowsnest/);
});

test('a damaged file is skipped, and replaced at the end', async () => {
	const setup = await watched();
	const whole = readFileSync(setup.path, 'utf8');
	for (const text of [
		'',
		'no json\n',
		whole.slice(0, -20),
		'{"version":1}\n{"type":"listRead"}\n',
	]) {
		writeFileSync(setup.path, text);
		const monitor = await open(setup);
		expect(monitor.problems).toEqual([]);
		expect(monitor.cpu().every(percent => percent === undefined)).toBe(true);
		expect(monitor.damagedLineCount).toBe(text === '' ? 0 : 1);
		monitor.list(5);
		await monitor.journal.close();
		expect(readFileSync(setup.path, 'utf8')).toMatch(
			/^\{"version":1,"checksum":"[^"]+"\}\n\{"account":"work"/,
		);
	}
});
