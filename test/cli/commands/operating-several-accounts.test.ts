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
