import { expect, test } from 'vitest';
import { startTwins, twinNames } from '../host.ts';

test('two commands of one host count their requests together towards maxRequestsPerMinute', async () => {
	const { host } = await startTwins({ top: ['maxRequestsPerMinute = 1'] });
	const start = host.clock.now();
	expect((await host.run('credits', '--profile', 'work')).code).toBe(0);
	expect(host.clock.now() - start).toBeLessThan(10_000);
	const { code, err } = await host.run('credits', '--profile', 'lab');
	expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('rate limit') });
	expect(host.clock.now() - start).toBeGreaterThanOrEqual(60_000);
});

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

test('list --timeout reports each account that did not answer, and shows the others', async () => {
	const { host, work, lab } = await startTwins();
	work.setFaults([{ target: 'list', kind: 'hang' }]);
	const { code, out, err } = await host.run('list', '--all-profiles', '--timeout', '3', '--json');
	expect({ code, count: JSON.parse(out).length }).toEqual({ code: 5, count: 3 });
	expect(JSON.parse(err).error).toMatchObject({ account: 'work', kind: 'timeout' });
	lab.setFaults([{ target: 'list', kind: 'hang' }]);
	const none = await host.run('list', '--all-profiles', '--timeout', '3');
	expect(none).toMatchObject({ code: 3, out: '' });
	expect(none.err.match(/Timed out/g)).toHaveLength(2);
});

test('show finds a name that one of several accounts has, and names its account', async () => {
	const { host, work, lab } = await startTwins();
	const { id } = lab.world.add({ name: 'nova', state: 'active' });
	const { out } = await host.run('show', 'nova', '--all-profiles', '--json');
	expect(JSON.parse(out)).toMatchObject({ account: 'lab', id, name: 'nova' });
	expect((await host.run('show', 'nova', '--all-profiles')).out).toMatch(/^Account lab\nnova /);
	const both = await host.run('show', 'atlas', '--all-profiles');
	expect(both).toMatchObject({ code: 2, out: '' });
	expect(both.err).toContain('atlas names 2 computers. Write one of: work/atlas, lab/atlas');
	const none = await host.run('show', 'nvoa', '--all-profiles');
	expect(none.err).toContain('No computer has the id or name nvoa. Did you mean nova?');
	work.setFaults([{ target: 'list', kind: '503' }]);
	const partial = await host.run('show', 'nova', '--all-profiles');
	expect(partial).toMatchObject({ code: 5, err: expect.stringContaining('work: Cannot read') });
	expect(partial.out).toContain('nova');
});

test('open prints the address of a port of the account in front of the slash', async () => {
	const { host, work, lab } = await startTwins();
	lab.world.add({ name: 'web', state: 'active', ports: [8080] });
	work.world.add({ name: 'web', state: 'active', ports: [8080] });
	const { code, out } = await host.run('open', 'lab/web', '8080');
	expect(code).toBe(0);
	expect(out).toContain(lab.world.get('web').id);
	const bare = await host.run('open', 'web', '8080', '--profile', 'work,lab');
	expect(bare).toMatchObject({ code: 2, err: expect.stringContaining('work/') });
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

test('completion offers the profiles, and the computers of several with their account in front, without a request', async () => {
	const { host, work, lab } = await startTwins({
		// It cannot be opened, and does not hide the computers of the others.
		top: ['[profiles.half]', 'url = "https://half.example/v1"'],
	});
	for (const name of ['work', 'lab']) await host.run('list', '--profile', name);
	const before = work.requests.length + lab.requests.length;
	const withAccount = (...accounts: string[]) =>
		accounts.flatMap(account => twinNames.map(name => `${account}/${name}`));
	for (const [line, offered] of [
		['stop |', withAccount('work', 'lab')],
		['show --profile lab,work |', withAccount('lab', 'work')],
		['stop |lab/', withAccount('lab')],
		['stop --profile work |lab/', withAccount('lab')],
		['stop --profile work |', twinNames],
		['--profile work stop |', twinNames],
		['list --profile |', ['half', 'work', 'lab']],
		['list |--profile=w', ['--profile=half', '--profile=work', '--profile=lab']],
		['list --profile |half,work,', ['half,work,lab']],
		['list |--profile=half,work,', ['--profile=half,work,lab']],
		['list --profile work --profile half --profile |', ['lab']],
	] as const) {
		const [words = '', last = ''] = line.split('|');
		const { out } = await host.run('complete', '--', ...words.trim().split(' '), last);
		const found = out.split('\n').flatMap(each => each.split('\t')[0] || []);
		// A shell shows those that begin with what is typed.
		const shown = found.filter(each => !last.includes('/') || each.startsWith(last));
		expect(shown, line).toEqual(offered);
	}
	expect(work.requests.length + lab.requests.length).toBe(before);
});

test('passwords are asked for one account after another, and a refused password does not affect the other accounts', async () => {
	const { host, work, lab } = await startTwins({ isTerminal: true, isSignedOut: true });
	const ended = host.ran('list', '--all-profiles');
	await host.see('Password of work (owner@example.com)');
	expect(host.output()).not.toContain('Password of lab');
	await host.answer('(not shown): ', `${work.password}\r`);
	await host.answer('Password of lab (owner@example.com)', '');
	await host.see(/^work {5,}atlas/m);
	await host.answer('(not shown): ', 'wrong password\r');
	await host.answer('Password of lab', `${lab.password}\r`);
	const { code, out, err } = await ended;
	expect(code).toBe(0);
	expect(out).toMatch(/^lab {6,}atlas/m);
	expect(out + err).not.toContain('wrong password');
});
