import { expect, test } from 'vitest';
import { changesOf, createOperateHost, startSimulator } from '../host.ts';

test('an operation is sent at once, and the command returns when the platform has accepted the operation', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const { id } = simulator.world.get('atlas');
	// If the command had a countdown, it would exceed this timeout of 3 seconds.
	const words = ['stop', 'atlas', '--yes', '--timeout', '3'];
	const { code, out, err } = await createOperateHost(simulator).run(...words);
	expect({ code, out, err }).toEqual({ code: 0, out: 'atlas: stopping\n', err: '' });
	expect(changesOf(simulator)).toEqual([`POST /${id}/stop`]);
	expect(simulator.world.get('atlas').state).toMatch(/^stop/);
});

test('log says what became of a request, although the command that sent it has ended', async () => {
	const faults = [{ target: 'start', kind: 'hang' }] as const;
	const simulator = await startSimulator({ computers: 3, faults: [...faults] });
	const host = createOperateHost(simulator);
	await host.run('stop', 'atlas', '--yes');
	await host.run('start', 'cygnus', '--yes', '--timeout', '1');
	await host.run('list', '--fresh');
	const { out } = await host.run('log', '--json');
	const changes: { event: string; name: string; to: string }[] = JSON.parse(out);
	const steps = changes.filter(({ event }) => event === 'operation');
	const lastStepOf = (name: string) => steps.find(step => step.name === name)?.to;
	expect(['atlas', 'cygnus'].map(lastStepOf)).toEqual(['accepted', 'unknown']);
	expect((await host.run('log')).out).not.toContain('ended while it ran');
});

test('with --wait the command returns when the operation is done', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator);
	const { code, out } = await host.run('start', 'cygnus', '--yes', '--wait');
	expect({ code, out }).toEqual({ code: 0, out: 'cygnus: starting\ncygnus: started\n' });
	expect(simulator.world.get('cygnus').state).toBe('active');
});

test('with --wait the command shows a progress line on a terminal, and erases it at the end', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator, { isTerminal: true });
	const { code, out, err } = await host.run('start', 'cygnus', '--yes', '--wait');
	expect({ code, out }).toEqual({ code: 0, out: 'cygnus: starting\ncygnus: started\n' });
	const erase = '\r\x1b[K';
	expect(err).toMatch(/\rcygnus: starting: \d+ s\x1b\[K/);
	expect(err.endsWith(erase)).toBe(true);
	const file = createOperateHost(simulator);
	expect((await file.run('stop', 'cygnus', '--yes', '--wait')).err).toBe('');
});

test('when --timeout ends the wait, the command reports the operation as accepted, with an exit code of its own', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator);
	const words = ['start', 'cygnus', '--yes', '--wait', '--timeout', '1', '--json'];
	const { code, out, err } = await host.run(...words);
	expect(code).toBe(3);
	expect(JSON.parse(out)).toMatchObject([{ name: 'cygnus', result: 'accepted' }]);
	expect(err).toContain('Timed out after 1 s. Accepted: cygnus');
});

test.each([
	['list', 'Nothing was sent', []],
	['stop', 'Sent, outcome unknown: atlas', ['unknown']],
] as const)(
	'when the request “%s” hangs until --timeout, “crowsnest stop” reports “%s”',
	async (target, standing, results) => {
		const simulator = await startSimulator({ computers: 3, faults: [{ target, kind: 'hang' }] });
		const host = createOperateHost(simulator);
		const words = ['stop', 'atlas', '--yes', '--timeout', '1'];
		const plain = await host.run(...words);
		expect(plain.code).toBe(3);
		expect(plain.err).toContain(`crowsnest: Timed out after 1 s. ${standing}\n`);
		const json = await host.run(...words, '--json');
		expect(JSON.parse(json.err).error).toMatchObject({
			kind: 'timeout',
			message: `Timed out after 1 s. ${standing}`,
		});
		const outcomes: { result: string }[] = JSON.parse(json.out || '[]');
		expect(outcomes.map(({ result }) => result)).toEqual(results);
	},
);

test('when --timeout ends the wait, the command lists which operations were accepted and which were not sent', async () => {
	const simulator = await startSimulator({ computers: 60 });
	const words = ['--filter', 'status:active', '--yes', '--timeout', '2'];
	const { code, err } = await createOperateHost(simulator).run('stop', ...words);
	expect(code).toBe(3);
	expect(err).toMatch(/s\. Accepted: \S+, .+ and \d+ more\. Not sent: \S+, /);
});

test('with --json the command prints one array with the outcome of every operation', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const [atlas, cygnus] = ['atlas', 'cygnus'].map(name => simulator.world.get(name).id);
	const host = createOperateHost(simulator);
	const { code, out, err } = await host.run('stop', 'atlas', 'cygnus', '--yes', '--json');
	expect({ code, err }).toEqual({ code: 0, err: '' });
	const shared = { operation: 'stop' };
	const reason = 'already stopped';
	expect(JSON.parse(out)).toEqual([
		{ id: cygnus, name: 'cygnus', ...shared, result: 'done', message: reason },
		{ id: atlas, name: 'atlas', ...shared, result: 'accepted', message: '' },
	]);
});

test('a skipped publish names its port', async () => {
	const simulator = await startSimulator({ computers: 4 });
	const { out, err } = await createOperateHost(simulator).run('publish', 'draco', '8080', '--yes');
	expect(out + err).toContain('port 8080 of draco: publish skipped: in error');
});

test('without --yes and without a terminal, no operation is sent', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator);
	for (const words of [
		['stop', 'atlas'],
		['delete', 'atlas'],
		['new'],
		['create'],
		['publish', 'atlas'],
		['unpublish', 'atlas'],
	]) {
		expect((await host.run(...words)).code).toBe(2);
	}
	const { err } = await host.run('publish', 'atlas', '--yes');
	expect(err).toContain('publish needs a port');
	const atTerminal = createOperateHost(simulator, { isTerminal: true });
	expect((await atTerminal.run('publish', 'atlas', '--yes')).code).toBe(2);
	// These mistakes are found before any question and any request.
	expect(simulator.requests).toEqual([]);
	expect((await host.run('start', 'cygnus')).code).toBe(2);
	expect(changesOf(simulator)).toEqual([]);
});

test('on a terminal only y confirms an operation', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator, { isTerminal: true });
	for (const typed of ['\r', 'n\r', 'yes\r']) {
		const ran = host.run('stop', 'atlas');
		await host.answer('y / n', typed);
		const { code, out, err } = await ran;
		expect(code).toBe(3);
		expect(out).toContain('Stop atlas?');
		expect(err).toContain('Nothing was sent');
	}
	expect(changesOf(simulator)).toEqual([]);
	const ran = host.run('stop', 'atlas');
	await host.answer('y / n', 'y\r');
	expect(await ran).toMatchObject({ code: 0, out: expect.stringContaining('atlas: stopping') });
	expect(changesOf(simulator)).toHaveLength(1);
});

test('a question of a command can still be answered after an hour, because a command never locks', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator, { isTerminal: true });
	const ran = host.run('stop', 'atlas');
	await host.see('y / n');
	simulator.clock.move(3_600_000);
	await host.answer('y / n', 'y\r');
	expect(await ran).toMatchObject({ code: 0 });
	expect(changesOf(simulator)).toHaveLength(1);
});

test('a deletion asks for the name, and a question about many computers lists them first', async () => {
	const simulator = await startSimulator({ computers: 6 });
	const boxes = Array.from({ length: 6 }, (_, n) => simulator.world.add({ name: `box${n}` }).name);
	const host = createOperateHost(simulator, { isTerminal: true });
	const wrong = host.run('delete', 'atlas');
	await host.answer('Type atlas', 'atlsa\r');
	expect((await wrong).code).toBe(3);
	const many = host.run('stop', ...boxes, 'cygnus');
	await host.answer('Type stop 6', 'stop 3\r');
	const { code, out } = await many;
	expect(code).toBe(3);
	expect(out).toContain('Stop 6 computers?');
	expect(out).toContain('Skipped cygnus: already stopped');
	expect(changesOf(simulator)).toEqual([]);
	const right = host.run('delete', 'atlas');
	await host.answer('Type atlas', 'atlas\r');
	expect((await right).code).toBe(0);
	expect(changesOf(simulator)).toHaveLength(1);
});

test('Ctrl-C at the question or while waiting ends the command with exit code 130', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const atTerminal = createOperateHost(simulator, { isTerminal: true });
	const asked = atTerminal.run('stop', 'atlas');
	await atTerminal.answer('y / n', '\u0003');
	expect((await asked).code).toBe(130);
	expect(changesOf(simulator)).toEqual([]);

	simulator.setFaults([{ target: 'stop', kind: 'hang' }]);
	const host = createOperateHost(simulator);
	const waiting = host.run('stop', 'atlas', '--yes', '--json');
	await host.until(() => changesOf(simulator).length > 0);
	host.signal('SIGINT');
	const { code, out } = await waiting;
	expect(code).toBe(130);
	expect(JSON.parse(out)).toMatchObject([{ name: 'atlas', result: 'unknown' }]);
});

test('the command says that it waits for the rate limit, and sends nothing more after Ctrl-C', async () => {
	const simulator = await startSimulator({ computers: 40 });
	const host = createOperateHost(simulator);
	const ran = host.run('stop', '--filter', 'status:active', '--yes', '--json');
	await host.see('Waiting for the rate limit');
	const sent = () => changesOf(simulator).length;
	await host.until(() => sent() >= 20);
	host.signal('SIGINT');
	const { code, out } = await ran;
	expect(code).toBe(130);
	const outcomes: { result: string; message: string }[] = JSON.parse(out);
	const unsent = outcomes.filter(({ result }) => result === 'skipped');
	expect(unsent.length).toBeGreaterThan(0);
	expect(unsent[0]?.message).toBe('not sent');
	expect(outcomes.length - unsent.length).toBe(sent());
});

test('no operation is sent when one of the names is unknown or ambiguous', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const twins = [simulator.world.add({ name: 'web' }), simulator.world.add({ name: 'web' })];
	const host = createOperateHost(simulator);
	const { code, err } = await host.run('stop', 'atlas', 'atla', 'web', '--yes');
	expect(code).toBe(2);
	expect(err).toContain('No computer has the id or name atla. Did you mean atlas?');
	expect(err).toContain(`web is the name of 2 computers`);
	for (const { id } of twins) expect(err).toContain(id);
	expect(changesOf(simulator)).toEqual([]);
	expect((await host.run('stop', twins[0]?.id ?? '', '--yes')).code).toBe(0);
});

test('an operation needs either names of computers or a filter, and refuses both together', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator);
	for (const words of [[], ['atlas', '--filter', 'name:atlas'], ['--filter', ' ']]) {
		expect((await host.run('stop', ...words, '--yes')).code).toBe(2);
	}
	expect(simulator.requests).toEqual([]);
	const none = await host.run('stop', '--filter', 'name:nobody', '--yes', '--json');
	const err = '{"notice":{"message":"No computer matches the filter"}}\n';
	expect(none).toEqual({ code: 0, out: '[]\n', err });
	const some = await host.run('stop', '--filter', 'status:active name:atl', '--yes');
	expect(some).toEqual({ code: 0, out: 'atlas: stopping\n', err: 'stop 1: atlas\n' });
	expect(changesOf(simulator)).toHaveLength(1);
});

test('--read-only refuses every operation', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator);
	const { code, err, out } = await host.run('stop', 'atlas', '--yes', '--read-only', '--json');
	expect({ code, out }).toEqual({ code: 1, out: '' });
	expect(JSON.parse(err).error.kind).toBe('read-only');
	expect(simulator.requests).toEqual([]);
});

test('publish and unpublish change the published ports of a computer', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const { id } = simulator.world.get('atlas');
	const host = createOperateHost(simulator);
	const port = simulator.world.get('atlas').ports.some(each => each.port === 4321)
		? '4322'
		: '4321';
	const done = await host.run('publish', 'atlas', '--port', port, '--yes');
	expect(done.code).toBe(0);
	expect(done.out).toMatch(
		new RegExp(`^port ${port} of atlas: published: http.+/p/${id}/${port}\n$`),
	);
	expect((await host.run('unpublish', 'atlas', port, '--yes')).code).toBe(0);
	expect((await host.run('publish', 'atlas', '--port', '0', '--yes')).code).toBe(2);
	expect((await host.run('publish', 'atlas', '65536', '--yes')).code).toBe(2);
	expect(changesOf(simulator)).toEqual([`POST /${id}/preview/start`, `POST /${id}/preview/stop`]);
});

test('update installs the latest released version', async () => {
	const simulator = await startSimulator({ computers: 3 });
	simulator.world.publishRelease();
	const { code, out } = await createOperateHost(simulator).run('update', 'atlas', '--yes');
	expect({ code, out }).toEqual({ code: 0, out: 'atlas: updating\n' });
});

test('new creates a computer with a name and prints its id', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator);
	const { code, out } = await host.run('new', '--name', 'fresh', '--yes', '--json');
	expect(code).toBe(0);
	const [{ id, name, result }] = JSON.parse(out);
	expect({ name, result }).toEqual({ name: 'fresh', result: 'accepted' });
	expect(simulator.world.find(id)?.state).toBe('provisioning');
});

test('an operation that the platform refuses is reported as failed, with the message of the platform', async () => {
	const simulator = await startSimulator({ computers: 3 });
	simulator.world.setCredits(0);
	const host = createOperateHost(simulator);
	const { code, out, err } = await host.run('start', 'cygnus', '--yes');
	expect({ code, out }).toEqual({ code: 1, out: '' });
	expect(err).toMatch(/^cygnus: start failed: .+; .+\n$/);
});

test('when a response is lost, the command reads the outcome of the operation and reports it', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator);
	simulator.setFaults([{ target: 'stop', kind: 'lost' }]);
	const done = await host.run('stop', 'atlas', '--yes');
	expect(done).toMatchObject({ code: 0, out: 'atlas: stopping\n' });
	simulator.setFaults([{ target: 'start', kind: '500' }]);
	const { code, out, err } = await host.run('start', 'cygnus', '--yes', '--json');
	expect(code).toBe(1);
	expect(JSON.parse(err).notice.message).toMatch(
		/^cygnus: start outcome unknown: .+\. crowsnest checks/,
	);
	expect(JSON.parse(out)).toMatchObject([{ name: 'cygnus', result: 'failed' }]);
	expect(changesOf(simulator)).toHaveLength(2);
});

test('what already is so is a success, and nothing is sent', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const { id } = simulator.world.get('atlas');
	const host = createOperateHost(simulator);
	await host.run('publish', 'atlas', '8080', '--yes', '--wait');
	const before = changesOf(simulator);
	expect(await host.run('stop', 'cygnus', '--yes')).toEqual({
		...{ code: 0, err: '' },
		out: 'cygnus: already stopped\n',
	});
	expect(await host.run('start', 'atlas', '--yes')).toEqual({
		...{ code: 0, err: '' },
		out: 'atlas: already running\n',
	});
	const published = await host.run('publish', 'atlas', '8080', '--yes');
	expect(published).toMatchObject({ code: 0, err: '' });
	expect(published.out).toMatch(/^port 8080 of atlas: already published: http\S+8080\n$/);
	const unpublished = await host.run('unpublish', 'atlas', '9090', '--yes', '--json');
	expect(unpublished.code).toBe(0);
	expect(JSON.parse(unpublished.out)).toEqual([
		{
			...{ id, name: 'atlas', operation: 'unpublish', result: 'done' },
			message: 'port 9090 is not published',
		},
	]);
	expect(changesOf(simulator)).toEqual(before);
});

test('whether it already is so is decided by a read of this command, and not by an earlier one', async () => {
	const simulator = await startSimulator({ computers: 3, shapes: { listRecord: 'minimal' } });
	const { id } = simulator.world.get('atlas');
	const [here, elsewhere] = [createOperateHost(simulator), createOperateHost(simulator)];
	await here.run('publish', id, '8080', '--yes', '--wait');
	await here.run('show', id);
	await elsewhere.run('unpublish', id, '8080', '--yes', '--wait');
	const sent = changesOf(simulator).length;
	const published = await here.run('publish', id, '8080', '--yes', '--wait');
	expect(published).toMatchObject({ code: 0, out: expect.not.stringContaining('already') });
	expect(changesOf(simulator)).toHaveLength(sent + 1);
	// The other host knows of no published port, because the list does not tell ports.
	const again = await elsewhere.run('publish', id, '8080', '--yes');
	expect(again).toMatchObject({ code: 0, out: expect.stringContaining('already published') });
	expect(changesOf(simulator)).toHaveLength(sent + 1);
});
