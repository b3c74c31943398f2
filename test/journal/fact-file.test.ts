import { closeSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { commonFactFields, factTable } from '../../source/fleet/fact.ts';
import { finishInTurns } from '../../source/foundation/steps.ts';
import { factFileContents, factForm, replaceFactFile } from '../../source/journal/fact-file.ts';
import { readSnapshot } from '../../source/journal/snapshot-file.ts';
import { account, listRead } from '../arbitraries/sample-facts.ts';
import { runProgram } from './run.ts';
import { stateDirectory } from './state-directory.ts';

// The facts of a file with the right checksum are not checked against their schema, so the checksum has to tell every
// difference.

const atlas = { id: 'sb_1', name: 'atlas', status: 'active', cpu: 12 };

const contentsOf = (text: string) => factFileContents(Buffer.from(text));

async function writtenSnapshot() {
	const directory = await stateDirectory();
	const { store, clock, journal } = await runProgram(directory);
	store.receive([listRead(clock.now(), [atlas])]);
	await journal.close();
	const [name = ''] = (await readdir(directory)).filter(each => each.startsWith('fleet-'));
	const path = join(directory, name);
	return { directory, path, text: await readFile(path, 'utf8') };
}

test('a snapshot is intact until any of its facts changes', async () => {
	const { text } = await writtenSnapshot();
	expect(contentsOf(text).isIntact).toBe(true);
	expect(contentsOf(text.replace('"cpu":12', '"cpu":13')).isIntact).toBe(false);
	expect(contentsOf(text.slice(0, -2)).isIntact).toBe(false);
	expect(contentsOf(`${text}{}\n`).isIntact).toBe(false);
});

test('a fact of another form is not intact, even with the right checksum', async () => {
	const { text } = await writtenSnapshot();
	const other = text.replace(`"checksum":"${factForm}-`, '"checksum":"0-');
	expect(other).not.toBe(text);
	expect(contentsOf(other).isIntact).toBe(false);
	expect(contentsOf('{"version":1}\n{}\n').isIntact).toBe(false);
	expect(contentsOf('').isIntact).toBe(false);
});

test('a damaged snapshot is checked against its schema, and no wrong value is recalled', async () => {
	const { directory, path, text } = await writtenSnapshot();
	await writeFile(path, text.replace('"cpu":12', '"cpu":"12"'));
	const { facts, damagedLineCount } = await readSnapshot({ directory, account });
	expect(facts.filter(({ type }) => type === 'fleetRecalled')).toEqual([]);
	expect(damagedLineCount).toBe(1);
});

test('a file takes the place of the earlier one only after it was closed, which other work does not wait for', async () => {
	const directory = await stateDirectory();
	await mkdir(directory, { recursive: true, mode: 0o700 });
	const path = join(directory, 'fleet-1.jsonl');
	await writeFile(path, 'earlier');
	let release = () => {};
	const closed = new Promise<void>(resolve => {
		release = resolve;
	});
	let hasBegun = () => {};
	const closing = new Promise<void>(resolve => {
		hasBegun = resolve;
	});
	const steps = replaceFactFile(directory, path, [listRead(1, [atlas])], {}, file => {
		closeSync(file);
		hasBegun();
		return closed;
	});
	const replaced = finishInTurns(steps, async () => {});
	await closing;
	expect(await readFile(path, 'utf8')).toBe('earlier');
	release();
	await replaced;
	expect(await readFile(path, 'utf8')).toContain('atlas');
});

/** Describes a schema as text. A function of a check is left out. */
const described = (schema: object) =>
	JSON.stringify(schema, (key, value) => (key.startsWith('~') ? undefined : value));

const storedFacts = [
	'fleetRecalled',
	'usageRecalled',
	'subscriptionRead',
	'releaseRead',
	'creditsRead',
] as const;

test('the number of the form stands for the present schema of the facts that are kept', () => {
	const schema = described([commonFactFields, storedFacts.map(name => factTable[name])]);
	// If this fails, add one to `factForm`, and put the new number and the new value here.
	expect({ factForm, schema: crc32(schema) }).toEqual({ factForm: 2, schema: 2498297238 });
});
