import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveResponses } from '../../platform/loopback.ts';
import { createOperateHost, createTestHost, startSimulator } from '../host.ts';

test('list does not wait for longer than two seconds for reasons', async () => {
	const simulator = await startSimulator({
		computers: 6,
		shapes: { list: 'minimal' },
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

test('list ends without an error when the reader closes the pipe', async () => {
	// The list is never answered, so only the closed pipe can end the command.
	const simulator = await startSimulator({ faults: [{ target: 'list', kind: 'hang' }] });
	const host = createOperateHost(simulator);
	const ran = host.run('list');
	await host.until(() => simulator.requests.length > 0);
	host.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
	expect(await ran).toEqual({ code: 0, out: '', err: '' });
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

test('show prints no address that anybody who reads it could open', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const { port, shareToken } = simulator.world.get('atlas').ports[0] ?? expect.unreachable();
	const { code, out, err } = await createOperateHost(simulator).run('show', 'atlas');
	expect(code).toBe(0);
	expect(out).toContain(`${port}  not checked`);
	expect(out + err).not.toContain(shareToken);
});

test('a list with two records of one id and with pages that repeat shows what it has, and says what is odd', async () => {
	const records = [
		{ sandbox_id: 'sb_1', name: 'older', status: 'active' },
		{ sandbox_id: 'sb_2', name: 'nova', status: 'active' },
		{ sandbox_id: 'sb_1', name: 'newer', status: 'active' },
	];
	const origin = await serveResponses((request, response) => {
		const isList = request.url?.includes('cursor') || request.url?.endsWith('/sandbox');
		response.end(JSON.stringify(isList ? { items: records, next_cursor: 'next' } : records[1]));
	});
	const env = { CROWSNEST_URL: `${origin}/v1`, CROWSNEST_TOKEN: 'token' };
	const host = createTestHost({ env, isTerminal: false });
	const { code, out, err } = await host.ran('list', '--columns', 'name');
	expect({ code, out }).toEqual({ code: 0, out: 'NAME\nnewer\nnova\n' });
	expect(err).toBe(
		'crowsnest: 1 record had the id of another and is not listed\n' +
			'crowsnest: the list does not end, so more was not read\n',
	);
	const doctor = await host.ran('doctor', '--verbose');
	expect(doctor.out).toContain('1 record had the id of another');
	expect(doctor.out).toContain('the list does not end, so more was not read');
});
