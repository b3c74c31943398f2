import { expect, test } from 'vitest';
import { openFollowed, openPanes } from './panes.ts';

const recording = (panes: readonly { pid: number; recorder: { getState(): boolean } }[]) =>
	panes.filter(({ recorder }) => recorder.getState()).map(({ pid }) => pid);

test('of the panes that share a watch, the leader records, and so does the next one after its end', async () => {
	const { first, second, third, until, kill } = await openFollowed(3);
	const others = [second, third];
	expect(recording([first, ...others])).toEqual([1]);
	await kill(first);
	await until(() => others.some(pane => pane.role() === 'leading'), 3_000);
	await until(() => others.some(pane => pane.role() === 'following'), 3_000);
	const leading = others.filter(pane => pane.role() === 'leading');
	expect(recording(others)).toEqual(leading.map(({ pid }) => pid));
});

test('a pane that is about to be suspended records no more, and again when it leads once more', async () => {
	const { open, until } = await openPanes();
	const pane = open(1);
	await until(() => pane.state().computers.size === 7, 2_000);
	pane.sharedWatch?.leave('suspended');
	expect(pane.recorder.getState()).toBe(false);
	pane.sharedWatch?.rejoin('suspended');
	await until(() => pane.recorder.getState(), 1_000);
});

test('a pane with --alone records while nobody leads', async () => {
	const { open, until, pass } = await openPanes();
	const alone = open(1, { isAlone: true });
	await until(() => alone.state().computers.size === 7, 2_000);
	expect(recording([alone])).toEqual([1]);
	const leader = open(2);
	await until(() => leader.state().computers.size === 7, 2_000);
	await pass(2_000);
	expect(recording([alone, leader])).toEqual([2]);
	await leader.close();
	await until(() => alone.recorder.getState(), 3_000);
});
