import {
	chmodSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLineKeeper } from '../../source/monitor/line-persistence.ts';

function folder() {
	const path = mkdtempSync(join(tmpdir(), 'crowsnest-lines-'));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

const nothing = { lineHistories: {}, savedFilters: {} };

const lines = {
	lineHistories: { 'filter fleet': ['atlas', 'status:error'], port: ['8080'] },
	savedFilters: { hot: 'cpu:>80' },
};

const fileIn = (path: string) => join(path, readdirSync(path)[0] ?? '');

test('the next start has the history of each field and the named filters, for this account only', () => {
	const path = folder();
	const keeper = createLineKeeper(path, 'mine');
	expect(keeper.restore()).toEqual(nothing);
	keeper.save(lines);
	expect(createLineKeeper(path, 'mine').restore()).toEqual(lines);
	expect(createLineKeeper(path, 'another').restore()).toEqual(nothing);
	expect(statSync(fileIn(path)).mode & 0o777).toBe(0o600);
	expect(JSON.parse(readFileSync(fileIn(path), 'utf8'))).toMatchObject({ version: 1 });
});

test('if two processes save lines, the lines of both are kept in the order in which they were saved', () => {
	const path = folder();
	const [one, other] = [createLineKeeper(path, 'mine'), createLineKeeper(path, 'mine')];
	one.save(lines);
	other.restore();
	one.save({
		lineHistories: { port: ['8080', '3000'] },
		savedFilters: { hot: 'cpu:>80', cold: 'cpu:<5' },
	});
	other.save({ lineHistories: { port: ['8080', '5173'] }, savedFilters: {} });
	expect(createLineKeeper(path, 'mine').restore()).toEqual({
		lineHistories: { 'filter fleet': ['atlas', 'status:error'], port: ['8080', '3000', '5173'] },
		savedFilters: { cold: 'cpu:<5' },
	});
});

test('a line that was entered again is the newest one after the next start', () => {
	const path = folder();
	const keeper = createLineKeeper(path, 'mine');
	keeper.save({ ...nothing, lineHistories: { port: ['1', '2', '3'] } });
	keeper.save({ ...nothing, lineHistories: { port: ['1', '3', '2'] } });
	expect(createLineKeeper(path, 'mine').restore().lineHistories).toEqual({ port: ['1', '3', '2'] });
});

test('a file of a newer version is neither used nor replaced, and the program says so', () => {
	const path = folder();
	createLineKeeper(path, 'mine').save(lines);
	const newer = '{"version":2,"lines":{"port":["1"]}}';
	writeFileSync(fileIn(path), newer);
	const troubles: string[] = [];
	const keeper = createLineKeeper(path, 'mine', message => troubles.push(message));
	expect(keeper.restore()).toEqual(nothing);
	keeper.save(lines);
	expect(readFileSync(fileIn(path), 'utf8')).toBe(newer);
	expect(troubles.join()).toContain('newer version');
});

test.each(['', 'null', '[]', '{', '{"lines":7,"filters":[1]}', '{"lines":{"port":[7,null]}}'])(
	'the monitor opens although the file with the typed lines contains %j',
	text => {
		const path = folder();
		const keeper = createLineKeeper(path, 'mine');
		keeper.save(lines);
		writeFileSync(fileIn(path), text);
		const { lineHistories, savedFilters } = keeper.restore();
		expect(Object.values(lineHistories).flat()).toEqual([]);
		expect(savedFilters).toEqual({});
	},
);

test('a restored line is one line of plain text for any content of the file', () => {
	const path = folder();
	const keeper = createLineKeeper(path, 'mine');
	keeper.save({ ...nothing, lineHistories: { port: ['\u001b[31m80\u001b[0m\n80'] } });
	expect(keeper.restore().lineHistories['port']?.join()).not.toMatch(/\p{Cc}/u);
});

test('nothing is saved in a folder that others can use', () => {
	const path = folder();
	chmodSync(path, 0o755);
	createLineKeeper(path, 'mine').save(lines);
	expect(readdirSync(path)).toEqual([]);
});
