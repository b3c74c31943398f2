import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scopes } from '../../source/limits/limits.ts';
import { openRequestFiles } from '../../source/limits/request-log.ts';
import { hour, second } from '../durations.ts';
import { createHeldClock } from '../held-clock.ts';
import { temporaryFolder } from '../journal/state-directory.ts';
import { createHeldLimiter, uptime } from './held-limiter.ts';
import { createMemoryDisk } from './memory-files.ts';

const clock = createHeldClock();
const digits = (time: number) => String(time).padStart(13, '0');
/** The times of a line that was written this long ago, by each clock. */
const written = (wall: number, boot: number) =>
	`${digits(clock.now() - wall)} ${digits(uptime - boot)}`;
const line = (wall: number, boot: number) => `take x.1 status ${written(wall, boot)}`;
const done = `done x.0 ${written(30 * second, 30 * second)}`;

/** A process that finds these lines in a file of its folder. */
function openLog(lines: string, file = 'a-240') {
	const held = createHeldClock();
	const files = createMemoryDisk(held.now);
	const write = (text: string) => void files.texts.set(`requests-1-${file}`, text);
	write(`\n${lines}\n`);
	const { limiter, move } = createHeldLimiter({ clock: held, files });
	const free = () => scopes.map(scope => limiter.slots()[scope].free.operation);
	return { write, move, free };
}

// A take without an end counts for 121 seconds from its date.
test.each([
	['of this boot, by the clock of the boot', 'a-240', line(-5 * hour, 30 * second), 91],
	['of this boot in the future, as now', 'a-240', line(0, -hour), 121],
	['of another host, by the wall clock', 'b-5', line(30 * second, 200 * hour), 91],
	['of another host in the future, as now', 'b-5', line(-hour, 0), 121],
	['of an earlier boot, by the wall clock', 'earlier-5', line(30 * second, -200 * hour), 91],
	['that nobody can read, like the line before it', 'a-240', `${done}\ntake x.1 sta`, 91],
])('a line is dated: %s', async (_, file, text, seconds) => {
	const { free, move } = openLog(text, file);
	expect(free()[1]).toBe(59);
	await move(seconds * second - 1);
	expect(free()[1]).toBe(59);
	await move(1);
	expect(free()[1]).toBe(60);
});

test.each([
	['of which only a part is left', 'take 9c3e.4 sta'],
	['without its last digits', line(0, 0).slice(0, -2)],
	['of an unknown scope', line(0, 0).replace('status', 'models')],
])('a line %s is a take of every scope', (_, text) => {
	expect(openLog(text).free()).toEqual([4, 59, 29]);
});

test('an incomplete line counts when it is complete', () => {
	const { write, free } = openLog('');
	write(`\n${line(0, 0).slice(0, -4)}`);
	expect(free()).toEqual([5, 60, 30]);
	write(`\n${line(0, 0)}\n`);
	expect(free()).toEqual([5, 59, 30]);
});

test('the files of the log are for their owner alone, and processes see the lines of all in one order', () => {
	const folder = join(temporaryFolder(), 'state', 'limits');
	const [one, other] = [openRequestFiles(folder), openRequestFiles(folder)];
	const read = (from: number) => [one, other].map(files => files.read('requests', from)?.text);
	expect(read(0)).toEqual([undefined, undefined]);
	one.append('requests', 'first\n', false);
	other.append('requests', 'second\n', true);
	one.append('requests', 'third\n', false);
	expect(read(0)).toEqual(['first\nsecond\nthird\n', 'first\nsecond\nthird\n']);
	expect(read(6)).toEqual(['second\nthird\n', 'second\nthird\n']);
	const modeOf = (path: string) => statSync(path).mode & 0o777;
	expect([modeOf(folder), modeOf(join(folder, 'requests'))]).toEqual([0o700, 0o600]);
	one.remove('requests');
	expect([readdirSync(folder), other.names()]).toEqual([[], []]);
});
