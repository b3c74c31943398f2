import { expect, test } from 'vitest';
import { changesOf, createOperateHost, startSimulator, startTwins } from '../host.ts';

test('when --timeout ends the wait, the command lists which operations were accepted and which were not sent', async () => {
	const simulator = await startSimulator({ computers: 60 });
	const words = ['--filter', 'status:active', '--yes', '--timeout', '2'];
	const { code, err } = await createOperateHost(simulator).run('stop', ...words);
	expect(code).toBe(3);
	expect(err).toMatch(/s\. Accepted: \S+, .+ and \d+ more\. Not sent: \S+, /);
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

const stop = (id: string) => `POST /${id}/stop`;

test('an operation works on the account in front of the slash, although another has the same id and name', async () => {
	const { host, work, lab } = await startTwins();
	const { id } = lab.world.get('atlas');
	expect(await host.run('stop', 'lab/atlas', '--yes')).toMatchObject({ code: 0 });
	expect(await host.run('start', `lab/${lab.world.get('cygnus').id}`, '--yes')).toMatchObject({
		code: 0,
	});
	expect(changesOf(work)).toEqual([]);
	expect(changesOf(lab)[0]).toBe(stop(id));
	expect(changesOf(lab)).toHaveLength(2);
});

test.each([
	['stop', 'work/atlas', 'lab/atlas'],
	['stop', 'atlas'],
	['stop', 'atlas', 'lab/cygnus'],
	['stop', '--filter', 'status:active'],
	['new'],
	['billing', 'setup'],
])('“%s %s %s” refuses several accounts, and sends nothing', async (...words) => {
	const { host, work, lab } = await startTwins({ top: ['profile = ["work", "lab"]'] });
	const { code, err } = await host.run(...words.filter(Boolean), '--yes');
	expect(code).toBe(2);
	expect(err).toMatch(/works on one account.*work.*lab/);
	expect([...changesOf(work), ...changesOf(lab)]).toEqual([]);
});

test('an operation on more than 500 computers is a wrong use: it says how to narrow it, and sends nothing', async () => {
	const { host, work, lab } = await startTwins();
	const many = Array.from({ length: 501 }, (_, n) => `box${n}`);
	for (const name of many) lab.world.add({ name, state: 'active' });
	const { code, out, err } = await host.run('stop', ...many.map(name => `lab/${name}`), '--yes');
	expect([code, out]).toEqual([2, '']);
	expect(err).toContain('At most 500 computers at a time, and these are 501');
	expect([...changesOf(work), ...changesOf(lab)]).toEqual([]);
});

test('checkout does not repeat a request for a payment page whose response was lost', async () => {
	const simulator = await startSimulator({ faults: [{ target: 'checkout', kind: 'lost' }] });
	const { code, err } = await createOperateHost(simulator).run('checkout', '--yes');
	expect(code).toBe(1);
	expect(err).toContain('Sent, outcome unknown');
	expect(changesOf(simulator)).toHaveLength(1);
});
