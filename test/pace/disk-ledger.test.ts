import nodeFiles, { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textFromEntry } from '../../source/pace/ledger-entry.ts';
import type { LedgerFs } from '../../source/pace/ledger-rotation.ts';
import { slotLifetimeMs } from '../../source/pace/limits.ts';
import { createHost, finishRequest, rule, spentCount, takeSlot } from './host.ts';

test('the ledger counts the requests of all processes together, including those of ended processes', () => {
	using host = createHost();
	const [here, there] = [host.process(), host.process()];
	const spends = Array.from({ length: 20 }, () => [takeSlot(here), takeSlot(there)]).flat();
	expect(spends.filter(spend => spend !== undefined)).toHaveLength(30);
	expect(new Set(spends.flatMap(spend => spend?.number ?? [])).size).toBe(30);
	here.close();
	there.close();
	const later = host.process();
	expect(spentCount(later)).toBe(30);
	expect(later.refresh()).toEqual(host.process().refresh());
	for (const spend of spends.slice(0, 10)) if (spend) finishRequest(later, spend);
	host.move(slotLifetimeMs(rule));
	expect(spentCount(later)).toBe(20);
	host.move(rule.maxTransitMs);
	expect(spentCount(later)).toBe(0);
});

test('the ledger does not count a slot whose number another process has taken first', () => {
	using host = createHost();
	const [here, there] = [host.process(), host.process()];
	const { taken } = here.refresh().other;
	expect(takeSlot(there)).toBeDefined();
	const spend = { id: here.newSlotId(), number: taken + 1, at: here.now(), hold: 1_000 };
	const after = here.append({ kind: 'take', scope: 'other', ...spend });
	expect(after.other.spends.has(spend.id)).toBe(false);
	expect(after.other.taken).toBe(1);
});

test('the ledger shares the reported budget and a freeze between processes', () => {
	using host = createHost();
	const [here, there] = [host.process(), host.process()];
	const spend = takeSlot(here);
	const heard = { number: 1, at: 5, hold: 10, limit: 20, remaining: 3, foreign: 16 };
	const freeze = { number: 1, at: 5, hold: 10, times: 1 };
	if (spend) here.append({ kind: 'done', scope: 'other', ...spend, heard, freeze });
	expect(there.refresh().other).toMatchObject({ heard, freeze });
});

test('the files of the ledger are created so that only their owner can read them', () => {
	using host = createHost();
	takeSlot(host.process());
	const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
	expect(mode(host.directory)).toBe('700');
	expect(mode(host.newest())).toBe('600');
});

test('the ledger continues in a new file when its file has become long, and removes older files', () => {
	using host = createHost({ maxBytes: 2_000 });
	const [here, there] = [host.process(), host.process()];
	here.append({
		kind: 'done',
		scope: 'create',
		id: 'x',
		number: 1,
		at: 1,
		hold: 9e9,
		freeze: { number: 0, at: 2, hold: 3, times: 4 },
	});
	for (let count = 0; count < 200; count++) {
		const spend = takeSlot(count % 3 ? here : there);
		if (spend) finishRequest(count % 2 ? here : there, spend);
		host.move(10_000);
	}
	expect(Number(host.newest().split('.').at(-1))).toBeGreaterThan(10);
	expect(host.files().length).toBe(2);
	expect(statSync(host.newest()).size).toBeLessThan(3_000);
	const book = host.process().refresh();
	expect(book).toEqual(here.refresh());
	expect(book.other.taken).toBe(200);
	expect(book.other.spends.size).toBe(6);
	expect(book.create.spends.size).toBe(1);
	expect(book.create.freeze).toMatchObject({ times: 4 });
});

test('the ledger ignores an entry that was only partly written', () => {
	using host = createHost();
	const here = host.process();
	takeSlot(here);
	const whole = readFileSync(host.newest(), 'latin1').trim();
	nodeFiles.appendFileSync(host.newest(), `\n${whole.slice(0, -20)}`);
	expect(spentCount(here)).toBe(1);
	takeSlot(here);
	expect(spentCount(host.process())).toBe(2);
	expect(host.files()).toEqual(['pace-1.1']);
});

test('the ledger counts an entry that is read during its writing only when the entry is complete', () => {
	using host = createHost();
	const [here, there] = [host.process(), host.process()];
	const entry = { kind: 'take', scope: 'other', id: 'x', number: 1, hold: 1_000 } as const;
	const now = here.now();
	const text = textFromEntry({ ...entry, at: now }, { now, wallClockAheadMs: 0 });
	here.refresh();
	for (const part of [text.slice(0, 40), text.slice(40, 60), text.slice(60)]) {
		expect(spentCount(here)).toBe(0);
		nodeFiles.appendFileSync(host.newest(), part);
	}
	expect(spentCount(here)).toBe(1);
	expect(spentCount(there)).toBe(1);
});

test.each([
	['zeros', (text: string) => text + '\0'.repeat(200)],
	['a broken number', (text: string) => `${text.replace(/"hold":\d/, '"hold":x')}\n`],
	['text of another program', () => '<html>\n'],
])('the ledger renames a file that contains %s, and counts its limits as used up', (_, spoil) => {
	using host = createHost();
	const [here, there] = [host.process(), host.process()];
	takeSlot(here);
	there.refresh();
	writeFileSync(host.newest(), `${spoil(readFileSync(host.newest(), 'latin1'))}\n`);
	const later = host.process();
	expect(later.refresh().other.fullSince).toBe(later.now());
	expect(later.refresh().create.fullSince).toBe(later.now());
	expect(host.files()).toEqual(['pace-1.1.broken', 'pace-1.2']);
	// The processes that had the broken file open continue in the new file, so all of them count together again.
	takeSlot(here);
	takeSlot(there);
	for (const ledger of [here, there, later, host.process()]) {
		const { fullSince, taken, spends } = ledger.refresh().other;
		expect([fullSince, taken]).toEqual([ledger.now(), later.refresh().other.taken]);
		expect([...spends.keys()]).toEqual(
			expect.arrayContaining([...later.refresh().other.spends.keys()]),
		);
	}
});

test('the ledger renames a file that became shorter while it was open, and counts its limits as used up', () => {
	using host = createHost();
	const here = host.process();
	takeSlot(here);
	takeSlot(here);
	nodeFiles.truncateSync(host.newest(), 60);
	expect(here.refresh().other.fullSince).toBe(here.now());
	expect(spentCount(here)).toBe(2);
	expect(spentCount(host.process())).toBe(2);
});

test('running processes keep the counted requests when the file of the ledger is deleted', () => {
	using host = createHost();
	const [here, there] = [host.process(), host.process()];
	takeSlot(here);
	takeSlot(there);
	here.refresh();
	rmSync(host.directory, { recursive: true });
	expect(spentCount(here)).toBe(2);
	expect(takeSlot(here)).toBeDefined();
	expect(spentCount(there)).toBe(3);
	expect(here.problem()).toBeUndefined();
});

test('the ledger frees the slots that were taken before a restart of the host, neither too early nor much too late', () => {
	using host = createHost();
	const here = host.process();
	host.move(900_000_000);
	takeSlot(here);
	here.close();
	host.reboot(30_000);
	const there = host.process();
	expect(spentCount(there)).toBe(1);
	host.move(rule.maxTransitMs + slotLifetimeMs(rule) - 30_001);
	expect(spentCount(there)).toBe(1);
	host.move(1);
	expect(spentCount(there)).toBe(0);
});

/** Returns how many characters of a text the disk accepts. If it accepts none, the write throws an error. */
const diskThatTakes = (part: (text: string) => string | undefined): LedgerFs => ({
	...nodeFiles,
	writeSync: ((descriptor: number, text: string) => {
		const taken = part(text);
		if (taken === undefined) throw new Error('ENOSPC');
		return nodeFiles.writeSync(descriptor, taken);
	}) as typeof nodeFiles.writeSync,
});

test('a process counts only its own requests while the ledger cannot be written, says why, and counts those of other processes afterwards', () => {
	using host = createHost();
	let isFull = true;
	const problems: string[] = [];
	const files = diskThatTakes(text => (isFull ? undefined : text));
	const here = host.process(files, message => problems.push(message));
	for (let count = 0; count < 40; count++) takeSlot(here);
	expect(spentCount(here)).toBe(30);
	expect(here.problem()).toBe('ENOSPC');
	expect(problems).toEqual(['ENOSPC']);
	const there = host.process();
	expect(spentCount(there)).toBe(0);
	isFull = false;
	host.move(rule.maxTransitMs + slotLifetimeMs(rule));
	expect(takeSlot(here)).toBeDefined();
	expect(here.problem()).toBeUndefined();
	expect(spentCount(there)).toBe(1);
});

test('a process counts its own requests that it could not write to the ledger, and still reads those of other processes', () => {
	using host = createHost();
	let isFull = false;
	const here = host.process(diskThatTakes(text => (isFull ? undefined : text)));
	const there = host.process();
	takeSlot(here);
	isFull = true;
	takeSlot(here);
	takeSlot(there);
	expect(spentCount(here)).toBe(3);
	expect(here.problem()).toBe('ENOSPC');
	isFull = false;
	takeSlot(here);
	expect(spentCount(here)).toBe(4);
	expect(here.problem()).toBeUndefined();
});

test('the ledger keeps all counted requests when reading its file fails halfway', () => {
	using host = createHost();
	const there = host.process();
	let reads = 0;
	const here = host.process({
		...nodeFiles,
		readSync: ((...call: Parameters<typeof nodeFiles.readSync>) => {
			if (++reads === 2) throw new Error('EIO');
			return nodeFiles.readSync(...call);
		}) as typeof nodeFiles.readSync,
	});
	takeSlot(there);
	takeSlot(there);
	expect(spentCount(here)).toBe(0);
	expect(spentCount(here)).toBe(2);
});

test('the ledger takes no slot when the disk accepts only a part of the entry', () => {
	using host = createHost();
	const here = host.process(diskThatTakes(text => text.slice(0, 30)));
	expect(takeSlot(here)).toBeDefined();
	expect(here.problem()).toBeDefined();
	expect(spentCount(here)).toBe(1);
});
