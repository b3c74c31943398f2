import { expect, test } from 'vitest';
import { changesOf } from '../host.ts';
import { startTwins } from '../twins.ts';

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

test('an operation refuses a name that two accounts have, and sends nothing', async () => {
	const { host, work, lab } = await startTwins();
	const { code, out, err } = await host.run('stop', 'atlas', '--profile', 'lab,work', '--yes');
	expect({ code, out }).toEqual({ code: 2, out: '' });
	expect(err).toContain('atlas names 2 computers. Write one of: lab/atlas, work/atlas');
	const id = work.world.get('atlas').id;
	const byId = await host.run('delete', id, '--profile', 'lab,work', '--yes');
	expect(byId).toMatchObject({ code: 2, err: expect.stringContaining(`lab/${id}`) });
	expect([...changesOf(work), ...changesOf(lab)]).toEqual([]);
});

test('an operation accepts a name that only one of the opened accounts has', async () => {
	const { host, work, lab } = await startTwins({ top: ['profile = ["work", "lab"]'] });
	const { id } = lab.world.add({ name: 'nova', state: 'active' });
	const { code, out } = await host.run('stop', 'nova', '--yes', '--json');
	expect(code).toBe(0);
	expect(JSON.parse(out)).toEqual([expect.objectContaining({ account: 'lab', id, name: 'nova' })]);
	expect(changesOf(work)).toEqual([]);
	expect(changesOf(lab)).toEqual([stop(id)]);
});

test('an operation refuses a name while another account cannot be read, because that account may have the name as well', async () => {
	const { host, work, lab } = await startTwins();
	lab.world.add({ name: 'nova', state: 'active' });
	work.setFaults([{ target: 'list', kind: '503' }]);
	const { code, err } = await host.run('stop', 'nova', '--profile', 'work,lab', '--yes');
	expect(code).toBe(1);
	expect(err).toContain('work: Cannot read the list of computers');
	expect(err).toContain('as in lab/nova');
	expect(changesOf(lab)).toEqual([]);
	expect(await host.run('stop', 'lab/nova', '--yes')).toMatchObject({ code: 0 });
});

test('an operation works on several accounts only if every computer is named with its account', async () => {
	const { host, work, lab } = await startTwins();
	work.world.add({ name: 'vega', state: 'active' });
	lab.world.add({ name: 'nova', state: 'active' });
	const bare = await host.run('stop', 'vega', 'nova', '--profile', 'work,lab', '--yes');
	expect(bare).toMatchObject({ code: 2, out: '' });
	expect(bare.err).toContain('Write the account in front of each: work/vega lab/nova');
	expect([...changesOf(work), ...changesOf(lab)]).toEqual([]);

	const { code, out } = await host.run(
		'stop',
		'work/vega',
		'lab/nova',
		'--yes',
		'--json',
		'--wait',
	);
	expect(code).toBe(0);
	expect(JSON.parse(out)).toMatchObject([
		{ account: 'work', name: 'vega', result: 'done' },
		{ account: 'lab', name: 'nova', result: 'done' },
	]);
	expect(changesOf(work)).toEqual([stop(work.world.get('vega').id)]);
	expect(changesOf(lab)).toEqual([stop(lab.world.get('nova').id)]);
	const plain = await host.run('start', 'work/vega', 'lab/nova', '--yes');
	expect(plain.out).toContain('work/vega: starting');
	expect(plain.out).toContain('lab/nova: starting');
});

test('an operation on hundreds of computers names the account of each, also of those whose request still waits', async () => {
	const { host, lab } = await startTwins();
	const many = Array.from({ length: 450 }, (_, n) => `box${n}`);
	for (const name of many) lab.world.add({ name, state: 'active' });
	const words = ['work/atlas', ...many.map(name => `lab/${name}`), '--yes', '--json'];
	const { out } = await host.run('restart', ...words, '--timeout', '5');
	const results: readonly { account: string; name: string }[] = JSON.parse(out);
	const namesOf = (wanted: string) =>
		results.filter(({ account }) => account === wanted).map(({ name }) => name);
	expect(namesOf('work')).toEqual(['atlas']);
	expect(namesOf('lab').toSorted()).toEqual(many.toSorted());
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

test.each([['stop', '--filter', 'status:active'], ['new'], ['billing', 'setup']])(
	'“%s %s %s” refuses several accounts, and sends nothing',
	async (...words) => {
		const { host, work, lab } = await startTwins({ top: ['profile = ["work", "lab"]'] });
		const { code, err } = await host.run(...words.filter(Boolean), '--yes');
		expect(code).toBe(2);
		expect(err).toContain('works on one account; choose one with --profile: work, lab');
		expect([...changesOf(work), ...changesOf(lab)]).toEqual([]);
	},
);

test('an operation skips the computers of a read-only account, and says so', async () => {
	const { host, work, lab } = await startTwins({ lines: { lab: ['readOnly = true'] } });
	const { code, err } = await host.run('stop', 'work/atlas', 'lab/atlas', '--yes');
	expect(code).toBe(1);
	expect(err).toContain('lab/atlas: stop skipped: lab is read-only');
	expect(changesOf(work)).toHaveLength(1);
	expect(changesOf(lab)).toEqual([]);
	const alone = await host.run('stop', 'lab/atlas', '--yes');
	expect(alone).toMatchObject({ code: 1, err: expect.stringContaining('Read-only') });
	expect(changesOf(lab)).toEqual([]);
});

test('a question names its account, and a typed confirmation in production contains the profile', async () => {
	const { host, lab } = await startTwins({
		isTerminal: true,
		lines: { lab: ['production = true'] },
	});
	const { id } = lab.world.get('atlas');
	const refused = host.start('delete', 'lab/atlas');
	await host.see('Account: lab (production)');
	await host.answer('Type delete atlas lab to delete it:', 'atlas\r');
	expect(await refused).toBe(3);
	expect(changesOf(lab)).toEqual([]);
	const confirmed = host.ran('delete', 'lab/atlas');
	await host.answer('Type delete atlas lab to delete it:', 'delete atlas lab\r');
	expect((await confirmed).code).toBe(0);
	expect(changesOf(lab)).toEqual([`DELETE /${id}`]);
});

test('a question about several accounts names each with its computers', async () => {
	const { host, work, lab } = await startTwins({ isTerminal: true });
	lab.world.add({ name: 'nova', state: 'active' });
	const asked = host.ran('stop', 'work/atlas', 'lab/atlas', 'lab/nova', 'lab/cygnus');
	await host.see('Stop them? y / n');
	expect(host.output()).toMatch(/^work: 1 \(atlas\)$/m);
	expect(host.output()).toMatch(/^lab: 2 \(/m);
	expect(host.output()).toMatch(/Skipped lab\/cygnus: /);
	await host.answer('Stop them? y / n', 'y\r');
	expect((await asked).code).toBe(0);
	expect(changesOf(work)).toHaveLength(1);
	expect(changesOf(lab)).toHaveLength(2);
});

test('each change of several accounts is recorded once, in the log of its own account', async () => {
	const { host, lab } = await startTwins();
	lab.world.add({ name: 'nova', state: 'active' });
	await host.run('stop', 'work/atlas', 'lab/nova', '--yes', '--wait');
	const logged = JSON.parse((await host.run('log', '--all-profiles', '--json')).out);
	const sent = logged.filter((each: { to: string }) => each.to === 'sent');
	const named = sent.map(({ account, name }: Record<string, string>) => `${account}/${name}`);
	expect(named.toSorted()).toEqual(['lab/nova', 'work/atlas']);
});
