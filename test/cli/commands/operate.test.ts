import { expect, test } from 'vitest';
import { changesOf, createOperateHost, startSimulator } from '../host.ts';

test('a question of a command can still be answered after an hour, because a command never locks', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator, { isTerminal: true });
	const ran = host.run('stop', 'atlas');
	await host.see('y / n');
	simulator.clock.move(3_600_000);
	await host.answer('y / n', 'y\r');
	expect(await ran).toMatchObject({ code: 0 });
	expect(changesOf(simulator)).toHaveLength(1);
});

test('Ctrl-C while waiting ends the command with exit code 130', async () => {
	const simulator = await startSimulator({ faults: [{ target: 'stop', kind: 'hang' }] });
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

test('whether it already is so is decided by a read of this command, and not by an earlier one', async () => {
	const simulator = await startSimulator({ shapes: { listRecord: 'minimal' } });
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
