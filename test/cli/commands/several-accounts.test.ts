import { expect, test } from 'vitest';
import { startTwins } from '../host.ts';

test('the rows of an account that answers late are printed while another account hangs', async () => {
	const { host, work, lab } = await startTwins();
	work.setFaults([{ target: 'list', kind: 'hang' }]);
	lab.setFaults([{ target: 'list', kind: 'delay' }]);
	const startedAt = work.clock.now();
	const ended = host.run('list', '--all-profiles');
	await host.see('cygnus');
	const waited = work.clock.now() - startedAt;
	expect(waited).toBeGreaterThan(1_000);
	expect(waited).toBeLessThan(10_000);
	expect((await ended).code).toBe(5);
});

test('watch prints the events of several accounts, and goes on when the sign-in of one fails', async () => {
	const { host, work, lab } = await startTwins();
	work.setFaults([{ target: '*', kind: 'unauthorized' }]);
	const ended = host.run('watch', '--all-profiles');
	await host.see('lab: Watching');
	await host.see(/work: Cannot watch the fleet/);
	lab.world.add({ name: 'nova', state: 'active' });
	await host.see(/^lab {6}\S+ \S+ {2}nova is new: active/m);
	host.signal('SIGINT');
	expect(await ended).toMatchObject({ code: 130 });
});

test('passwords are asked for one account after another, and a refused password does not affect the other accounts', async () => {
	const { host, work, lab } = await startTwins({ isTerminal: true, isSignedOut: true });
	const ended = host.ran('list', '--all-profiles');
	await host.see('Password of work (owner@example.com)');
	expect(host.output()).not.toContain('Password of lab');
	await host.answer('(not shown): ', `${work.password}\r`);
	await host.answer('Password of lab (owner@example.com)', '');
	// The rows of the first account come between, and then the open question again.
	await host.see(/^work {5,}cygnus.*\nPassword of lab/m);
	await host.answer('(not shown): ', 'wrong password\r');
	await host.answer('Password of lab', `${lab.password}\r`);
	const { code, out, err } = await ended;
	expect(code).toBe(0);
	expect(out).toMatch(/^lab {6,}atlas/m);
	expect(out + err).not.toContain('wrong password');
});
