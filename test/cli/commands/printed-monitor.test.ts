import { expect, test } from 'vitest';
import { createTestHost } from '../host.ts';
import { startTwins, twinNames } from '../twins.ts';

test.each([[[]], [['monitor']]])(
	'without an account and without a terminal, %j says so like list, and prints no fleet',
	async words => {
		const { ran } = createTestHost({ isTerminal: false });
		const printed = await ran(...words);
		expect(printed).toEqual({ ...(await ran('list')), out: '' });
		expect(printed).toMatchObject({
			code: 4,
			err: expect.stringContaining('No account is configured'),
		});
	},
);

test('the monitor prints the fleets of several accounts, each below its name', async () => {
	const { host } = await startTwins();
	const { code, out, err } = await host.run('monitor', '--all-profiles');
	expect({ code, err }).toEqual({ code: 0, err: '' });
	expect(out.split('\n').map(line => line.split(' ')[0])).toEqual([
		'work:',
		'NAME',
		...twinNames,
		'lab:',
		'NAME',
		...twinNames,
		'',
	]);
});

test('the printed monitor names the account that failed, prints the other, and exits with 5', async () => {
	const { lab, host } = await startTwins();
	lab.setFaults([{ target: 'list', kind: '503' }]);
	const { code, out, err } = await host.run('monitor', '--all-profiles');
	expect(code).toBe(5);
	expect(err).toMatch(/^crowsnest: lab: Cannot read the list of computers: /);
	expect(out).toMatch(/^work:\nNAME/);
	expect(out).not.toContain('lab');
});

test('the printed monitor reads its accounts side by side', async () => {
	const { work, lab, host } = await startTwins();
	for (const simulator of [work, lab]) simulator.setFaults([{ target: 'list', kind: 'hang' }]);
	const start = host.clock.now();
	const { code, err } = await host.run('monitor', '--all-profiles');
	expect(code).toBe(1);
	expect(err).toMatch(/work: .+ no answer within 15 s[\s\S]+lab: .+ no answer within 15 s/);
	expect(host.clock.now() - start).toBeLessThan(25_000);
});
