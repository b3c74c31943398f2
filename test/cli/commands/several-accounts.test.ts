import { expect, test } from 'vitest';
import { startTwins, twinNames } from '../host.ts';

test('doctor checks several accounts, and each line of a check names its account', async () => {
	const { host } = await startTwins();
	const { code, out } = await host.run('doctor', '--all-profiles', '--verbose');
	expect(code).toBe(0);
	expect(out).toMatch(/Sign-in +work: as o…@example\.com/);
	expect(out).toMatch(/Sign-in +lab: as o…@example\.com/);
	const { checks } = JSON.parse((await host.run('doctor', '--all-profiles', '--json')).out);
	const accountsOf = (subject: string) =>
		checks
			.filter(({ about }: { about: string }) => about === subject)
			.map(({ account }: { account?: string }) => account);
	expect(accountsOf('List')).toEqual(['work', 'lab']);
	expect(accountsOf('Program')).toEqual([undefined]);
});

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

const offeredBy =
	(host: Awaited<ReturnType<typeof startTwins>>['host']) =>
	async (...words: readonly string[]) =>
		(await host.run('complete', '--', ...words)).out
			.split('\n')
			.flatMap(line => line.split('\t')[0] || []);

test('a profile that cannot be opened does not hide the computers of the others from completion', async () => {
	const { host } = await startTwins({
		top: ['[profiles.half]', 'url = "https://half.example/v1"'],
	});
	for (const name of ['work', 'lab']) await host.run('list', '--profile', name);
	const offered = await offeredBy(host)('stop', '');
	expect(offered).toHaveLength(2 * twinNames.length);
	expect(offered).toContain('lab/atlas');
});

test('completion offers the profiles, and the computers of several with their account in front, without a request', async () => {
	const { host, work, lab } = await startTwins();
	await host.run('list', '--all-profiles');
	const before = work.requests.length + lab.requests.length;
	const offered = offeredBy(host);
	const withAccount = (account: string) => twinNames.map(name => `${account}/${name}`);
	expect(await offered('stop', '')).toEqual([...withAccount('work'), ...withAccount('lab')]);
	expect(await offered('show', '--profile', 'lab,work', '')).toEqual([
		...withAccount('lab'),
		...withAccount('work'),
	]);
	expect(await offered('stop', 'lab/')).toEqual(withAccount('lab'));
	expect(await offered('stop', '--profile', 'work', 'lab/')).toEqual(withAccount('lab'));
	expect(await offered('stop', '--profile', 'work', '')).toEqual(twinNames);
	expect(await offered('--profile', 'work', 'stop', '')).toEqual(twinNames);
	expect(await offered('list', '--profile', '')).toEqual(['work', 'lab']);
	expect(await offered('list', '--profile=w')).toEqual(['--profile=work', '--profile=lab']);
	expect(await offered('list', '--profile', 'work,')).toEqual(['work,lab']);
	expect(await offered('list', '--profile=work,')).toEqual(['--profile=work,lab']);
	expect(await offered('list', '--profile', 'work', '--profile', '')).toEqual(['lab']);
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
