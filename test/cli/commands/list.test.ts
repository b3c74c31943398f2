import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHeldClock } from '../../held-clock.ts';
import { changesOf, createOperateHost, type HeldSimulator, startSimulator } from '../host.ts';

test('list prints the matching computers as a table, ordered by name', async () => {
	const simulator = await startSimulator({ computers: 6 });
	const host = createOperateHost(simulator);
	const { code, out, err } = await host.run('list');
	expect({ code, err }).toEqual({ code: 0, err: '' });
	const names = out.split('\n').map(line => line.trim().split(/\s+/)[0]);
	expect(names).toEqual(['NAME', 'atlas', 'borealis', 'cygnus', 'draco', 'eridanus', 'fornax', '']);
	const stopped = await host.run('list', '--filter', 'status:stopped');
	expect(stopped.out.split('\n').slice(1).join()).toMatch(/^ *cygnus[^\n]*,$/);
	expect(changesOf(simulator)).toEqual([]);
});

test('list --by counts the matching computers in groups, as the map of the monitor does', async () => {
	const host = createOperateHost(await startSimulator({ computers: 6 }));
	const { code, out, err } = await host.run('list', '--by', 'status');
	expect({ code, err }).toEqual({ code: 0, err: '' });
	expect(out).toMatch(/^error +1 {2}1 error\n(.*\n)*active +\d {2}\d active\n/);
	const stopped = await host.run('list', '--by', 'location', '--filter', 'status:stopped');
	expect(stopped.out).toMatch(/^[a-z-]+ +1 {2}1 stopped\n$/);
	const wrong = await host.run('list', '--by', 'mood');
	expect(wrong).toMatchObject({ code: 2, out: '' });
	expect(wrong.err).toContain(
		'--by does not take mood. It takes location, status, version, account',
	);
	const sorted = await host.run('list', '--by', 'status', '--sort', 'cpu');
	expect(sorted).toMatchObject({ code: 2, out: '' });
	expect(sorted.err).toContain('--by counts groups; leave out --sort');
});

test('list shows the age of its data only if a person asks for the column', async () => {
	const host = createOperateHost(await startSimulator());
	expect((await host.run('list')).out).not.toContain('SEEN');
	const { out } = await host.run('list', '--columns', 'name,seen');
	const [titles = '', atlas = ''] = out.split('\n');
	expect(titles).toMatch(/ SEEN$/);
	expect(atlas).toMatch(/ \ds$/);
});

test('list --sort, --limit and --columns choose the order, the number and the columns', async () => {
	const simulator = await startSimulator({ computers: 0 });
	for (const [name, version] of Object.entries({ one: '1.9.0', two: '1.10.0', three: '1.2.0' }))
		simulator.world.add({ name, version, state: 'active' });
	const host = createOperateHost(simulator);
	const names = async (...words: readonly string[]) => {
		const { code, out, err } = await host.run('list', '--columns', 'version,name', ...words);
		expect({ code, err }).toEqual({ code: 0, err: '' });
		const [titles = '', ...lines] = out.trimEnd().split('\n');
		expect(titles.trim().split(/ +/)).toEqual(['VERSION', 'NAME']);
		return lines.map(line => line.trim().split(/ +/).at(-1));
	};
	expect(await names()).toEqual(['one', 'three', 'two']);
	expect(await names('--sort', 'version')).toEqual(['three', 'one', 'two']);
	expect(await names('--sort', 'version:desc', '--limit', '2')).toEqual(['two', 'one']);
	const { out } = await host.run('list', '--json', '--sort', 'version:desc', '--limit', '2');
	expect(JSON.parse(out).map(({ name }: { name: string }) => name)).toEqual(['two', 'one']);
	expect((await host.run('list', '--sort', 'trouble', '--limit', '1')).code).toBe(0);
});

test.each([
	[['--sort', 'versoin'], '--sort does not take versoin. Did you mean version?'],
	[['--sort', 'cpu:up'], '--sort takes cpu, cpu:asc or cpu:desc, but got cpu:up'],
	[['--sort', 'trouble:desc'], '--sort takes trouble, but got trouble:desc'],
	[['--sort', 'status,cpu:desc'], '--sort takes one field, and orders equals by name'],
	[['--sort', ''], '--sort does not take'],
	[['--columns', 'name,cpus'], '--columns does not take cpus. Did you mean cpu?'],
	[
		['status:error', 'name:a'],
		"list takes no arguments, but got status:error. Try crowsnest list --filter 'status:error name:a'",
	],
	[['atlas'], 'list takes no arguments, but got atlas. Try crowsnest show atlas'],
	[['--limit', '0'], '--limit takes a whole number from 1 to'],
	[['--columns', 'name', '--json'], '--columns prints text; --json always prints all fields'],
])('list %j is refused before any request, with the message “%s”', async (words, message) => {
	const simulator = await startSimulator();
	const { code, out, err } = await createOperateHost(simulator).run('list', ...words);
	expect({ code, out }).toEqual({ code: 2, out: '' });
	expect(err).toContain(message);
	expect(simulator.requests).toEqual([]);
});

test('list --columns says which columns do not fit on the terminal', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator, { isTerminal: true, columns: 40 });
	const { out, err } = await host.run('list', '--columns', 'name,address,location,id');
	expect(err).toBe('The terminal is too narrow for address, location\n');
	expect(Math.max(...out.split('\n').map(line => line.length))).toBeLessThanOrEqual(40);
});

test('list shortens long cells on a terminal, but not when its output is a pipe', async () => {
	const simulator = await startSimulator({ computers: 4 });
	const name = 'a-name-that-is-longer-than-any-column-of-a-terminal';
	simulator.world.add({ name, state: 'active' });
	const reason = simulator.world.get('draco').error ?? '';
	expect(reason.length).toBeGreaterThan(20);
	const piped = await createOperateHost(simulator).run('list');
	expect(piped.out).toContain(reason);
	expect(piped.out).toMatch(new RegExp(`^${name} +. Active`, 'm'));
	const seen = await createOperateHost(simulator, { isTerminal: true, columns: 80 }).run('list');
	const lines = seen.out.split('\n');
	expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(80);
	expect(seen.out).toContain('…');
});

test('list --json prints the documented fields', async () => {
	const simulator = await startSimulator({ computers: 0 });
	const { id } = simulator.world.add({ name: 'web', ports: [8080], version: '1.2.3' });
	const { code, out, err } = await createOperateHost(simulator).run('list', '--json');
	expect({ code, err }).toEqual({ code: 0, err: '' });
	const [record, ...others] = JSON.parse(out);
	expect(others).toEqual([]);
	expect(Object.keys(record)).toEqual([
		...['id', 'name', 'status', 'phase', 'version', 'address', 'cpu', 'memory', 'storage'],
		...[
			'startedAt',
			'createdAt',
			'ports',
			'portCount',
			'error',
			'stage',
			'stageProgress',
			'notRead',
		],
	]);
	expect(record).toMatchObject({
		id,
		name: 'web',
		status: 'active',
		phase: 'active',
		version: '1.2.3',
	});
	expect(record.createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('list prints an ellipsis, and list --json names the fields, for what nobody has read yet', async () => {
	const simulator = await startSimulator({ computers: 0, shapes: { list: 'minimal' } });
	simulator.world.add({ name: 'web', version: '1.2.3' });
	const host = createOperateHost(simulator);
	expect((await host.run('list')).out).toMatch(/web +● Active .*… +… +…/);
	const [record] = JSON.parse((await host.run('list', '--json')).out);
	expect(record).toMatchObject({ version: null, cpu: null, error: null });
	expect(record.notRead).toEqual(['version', 'address', 'storage', 'ports', 'cpu', 'memory']);
});

test('list --filter reads the status of each computer when the platform lists computers without a status', async () => {
	const simulator = await startSimulator({ computers: 6, shapes: { listRecord: 'minimal' } });
	const host = createOperateHost(simulator);
	const { out } = await host.run('list', '--filter', 'status:stopped', '--json');
	const ids = JSON.parse(out).map(({ id }: { id: string }) => id);
	expect(ids).toEqual([simulator.world.get('cygnus').id]);
});

test('a command reads the details of the computers to find a name when the list has no names', async () => {
	const simulator = await startSimulator({ computers: 4, shapes: { listRecord: 'minimal' } });
	const { id } = simulator.world.get('cygnus');
	const host = createOperateHost(simulator);
	const shown = await host.run('show', 'cygnus', '--json');
	expect(JSON.parse(shown.out)).toMatchObject({ id, name: 'cygnus' });
	const details = () => simulator.requests.filter(({ path }) => /\/sb_\w+$/.test(path)).length;
	const before = details();
	expect((await host.run('start', 'cygnus', '--yes')).out).toBe('cygnus: starting\n');
	// The names in the snapshot of the earlier run must not be used.
	expect(details() - before).toBe(4);
	expect(await host.run('start', id, '--yes', '--timeout', '5')).toMatchObject({ code: 1 });
	expect(details() - before).toBe(4);
});

test('list reads the details of the computers for a filter on a field that the list lacks', async () => {
	const simulator = await startSimulator({ computers: 4, shapes: { listRecord: 'minimal' } });
	const { id } = simulator.world.add({ name: 'web', version: '0.9.1' });
	const host = createOperateHost(simulator);
	const { out } = await host.run('list', '--filter', 'version:<1.0', '--json');
	expect(JSON.parse(out).map((each: { id: string }) => each.id)).toEqual([id]);
});

const statusesOf = ({ requests }: HeldSimulator) =>
	requests.filter(({ path }) => path.endsWith('/status')).length;

test('list reads the reasons of the errors that it prints, and says how many it did not read', async () => {
	const simulator = await startSimulator({ computers: 0, shapes: { list: 'minimal' } });
	for (let place = 10; place < 25; place += 1)
		simulator.world.add({ name: `box-${place}`, state: 'error', error: `disk ${place} is full` });
	simulator.world.add({ name: 'web' });
	const host = createOperateHost(simulator);
	expect(await host.run('list', '--columns', 'name,status')).toMatchObject({ code: 0, err: '' });
	expect(await host.run('list', '--by', 'status')).toMatchObject({ code: 0, err: '' });
	expect(statusesOf(simulator)).toBe(0);
	const three = await host.run('list', '--limit', '3');
	expect(three).toMatchObject({ code: 0, err: '' });
	expect(three.out).toContain('disk 12 is full');
	expect(statusesOf(simulator)).toBe(3);
	const all = await host.run('list', '--filter', 'status:error', '--json');
	expect(all.err).toContain('The reasons of 2 errors were not read. crowsnest show ID reads one');
	const errors = JSON.parse(all.out).map(({ error }: { error: string | null }) => error);
	expect(errors.filter(Boolean)).toHaveLength(13);
	expect(statusesOf(simulator)).toBe(13);
});

test('list reads the reasons of errors for a filter on their text', async () => {
	const simulator = await startSimulator({ computers: 6, shapes: { list: 'minimal' } });
	simulator.world.add({ name: 'web', state: 'error', error: 'out of memory' });
	const { out, err } = await createOperateHost(simulator).run('list', '--filter', 'stage:memory');
	expect({ err, rows: out.trimEnd().split('\n').length }).toEqual({ err: '', rows: 2 });
	expect(out).toContain('out of memory');
	expect(statusesOf(simulator)).toBe(2);
});

test('list does not wait for longer than two seconds for reasons', async () => {
	const simulator = await startSimulator({
		...{ computers: 6, shapes: { list: 'minimal' } },
		faults: [{ target: 'status', kind: 'hang' }],
	});
	const before = simulator.clock.now();
	const { code, out, err } = await createOperateHost(simulator).run('list');
	expect({ code, err }).toEqual({
		code: 0,
		err: 'The reason of 1 error was not read. crowsnest show ID reads one\n',
	});
	expect(out).toContain('draco');
	expect(simulator.clock.now() - before).toBeLessThan(4_000);
});

test('list reads statuses for a filter on versions that the list lacks', async () => {
	const simulator = await startSimulator({ computers: 4, shapes: { list: 'minimal' } });
	const { id } = simulator.world.add({ name: 'web', version: '0.9.1' });
	const host = createOperateHost(simulator);
	const { out } = await host.run('list', '--filter', 'version:<1.0', '--json');
	expect(JSON.parse(out).map((each: { id: string }) => each.id)).toEqual([id]);
	expect(statusesOf(simulator)).toBeGreaterThan(0);
	expect(simulator.requests.filter(({ path }) => /\/sb_\w+$/.test(path))).toEqual([]);
});

test('a command refuses a name when the platform returns no names', async () => {
	const shapes = { listRecord: 'minimal', detailRecord: 'minimal' } as const;
	const simulator = await startSimulator({ computers: 2, shapes });
	const { code, err } = await createOperateHost(simulator).run('stop', 'atlas', '--yes');
	expect(code).toBe(2);
	expect(err).toContain('This platform does not return names. Use the id');
	expect(changesOf(simulator)).toEqual([]);
});

test('list ends after --timeout when the platform does not respond', async () => {
	const simulator = await startSimulator({ faults: [{ target: 'list', kind: 'hang' }] });
	const host = createOperateHost(simulator);
	expect(await host.run('list', '--timeout', '1')).toEqual({
		code: 3,
		out: '',
		err: 'crowsnest: Timed out after 1 s\n',
	});
});

test('list refuses a wrong filter before it sends a request', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	const { code, err } = await host.run('list', '--filter', 'colour:red');
	expect(code).toBe(2);
	expect(err).toContain('No field “colour”.');
	expect(simulator.requests).toEqual([]);
	const json = await host.run('list', '--filter', 'colour:red', '--json');
	expect(json).toMatchObject({ code: 2, out: '' });
	expect(JSON.parse(json.err).error).toMatchObject({ kind: 'usage' });
});

test('list fails when the list cannot be read, with --json as well', async () => {
	const simulator = await startSimulator({ faults: [{ target: 'list', kind: '503' }] });
	const host = createOperateHost(simulator);
	const plain = await host.run('list');
	expect(plain).toMatchObject({ code: 1, out: '' });
	expect(plain.err).toMatch(/^crowsnest: Cannot read the list of computers: .+\n.+\n$/);
	const { error } = JSON.parse((await host.run('list', '--json')).err);
	expect(Object.keys(error)).toEqual(['kind', 'message', 'advice']);
	expect(error.kind).toBe('server');
});

test('list waits for a rate limit and says so', async () => {
	const faults = [{ target: 'list', kind: 'throttle', count: 1 }] as const;
	// The rate limit has a rolling window, because a fixed window could end at once.
	const shapes = { window: 'rolling' } as const;
	const simulator = await startSimulator({ computers: 1, faults, shapes });
	const { code, out, err } = await createOperateHost(simulator).run('list');
	expect(code).toBe(0);
	expect(out).toContain('atlas');
	expect(err).toMatch(/^Waiting for the rate limit, about .+\n$/);
});

test('list exits with the code for not signed in when the sign-in fails', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost({ ...simulator, password: 'wrong' });
	expect((await host.run('list')).code).toBe(4);
});

test('list ends without an error when the reader closes the pipe', async () => {
	// The list is never answered, so only the closed pipe can end the command.
	const simulator = await startSimulator({ faults: [{ target: 'list', kind: 'hang' }] });
	const host = createOperateHost(simulator);
	const ran = host.run('list');
	await host.until(() => simulator.requests.length > 0);
	host.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
	expect(await ran).toEqual({ code: 0, out: '', err: '' });
});

test('show finds a computer by its name and by its id', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const { id } = simulator.world.get('atlas');
	const host = createOperateHost(simulator);
	const { code, out } = await host.run('show', 'atlas');
	expect(code).toBe(0);
	expect(out).toMatch(/^Name +atlas\nId +sb_/);
	expect(out).toContain('Version');
	expect(JSON.parse((await host.run('show', id, '--json')).out)).toMatchObject({
		id,
		name: 'atlas',
	});
	const unknown = await host.run('show', 'atlsa');
	expect(unknown.code).toBe(2);
	expect(unknown.err).toContain('No computer has the id or name atlsa. Did you mean atlas?');
	expect((await host.run('show')).code).toBe(2);
});

test('list refuses a filter with a status that neither the program nor the fleet knows', async () => {
	const host = createOperateHost(await startSimulator());
	const { code, out, err } = await host.run('list', '--filter', 'status:eror');
	expect({ code, out }).toEqual({ code: 2, out: '' });
	expect(err).toContain('No status “eror”. Did you mean error?');
});

test('list says on stderr how many records could not be read, and prints the other computers', async () => {
	const simulator = await startSimulator({ computers: 2 });
	Object.assign(simulator.world.add({ name: 'nowhere' }), { id: '..' });
	const table = await createOperateHost(simulator).run('list');
	expect(table.code).toBe(0);
	expect(table.err).toBe(
		'crowsnest: 1 record could not be read and is not listed. Run `crowsnest doctor` to see why.\n',
	);
	expect(table.out).toContain('borealis');
	const json = await createOperateHost(simulator).run('list', '--json');
	expect(JSON.parse(json.out)).toHaveLength(2);
	expect(json.err).toContain('1 record could not be read');
});

test('list works without a usable state folder, and says once that nothing can be saved', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-state-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	writeFileSync(join(folder, 'file'), '');
	mkdirSync(join(folder, 'open'));
	chmodSync(join(folder, 'open'), 0o777);
	const simulator = await startSimulator();
	for (const [state, reason] of [
		[join(folder, 'file', 'state'), 'a part of the path is not a directory'],
		[join(folder, 'open'), 'can be written by others'],
	] as const) {
		const { code, out, err } = await createOperateHost(simulator, { state }).run('list');
		expect({ code, lines: out.split('\n').length }).toEqual({ code: 0, lines: 5 });
		expect(err).toMatch(/^Nothing can be saved: .*\. Rate limits are counted .*\n$/);
		expect(err).toContain(reason);
	}
});

test.each(['status', 'detail'] as const)(
	'show prints the stage, even if the answer about the %s comes last',
	async target => {
		const held = createHeldClock();
		let milliseconds = 0;
		// Each look at the clock takes a millisecond, so that no two requests are sent at the same time.
		const clock = Object.create(held, { now: { value: () => held.now() + milliseconds++ } });
		const faults = [{ target, kind: 'delay', delayMs: 50 }] as const;
		const simulator = await startSimulator({ clock, faults });
		const { code, out } = await createOperateHost(simulator).run('show', 'borealis');
		expect(code).toBe(0);
		expect(out).toMatch(/^Stage +creating$/m);
		expect(out).toMatch(/^Status +creating since/m);
	},
);
