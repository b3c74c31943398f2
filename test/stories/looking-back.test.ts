import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';
import { openSeveralAccounts } from '../driver/several-accounts.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';

const second = 1_000;
const minute = 60 * second;

/** Opens a monitor that has seen atlas fail, and borealis ten minutes later. */
async function openWithPast(options?: Parameters<typeof openMonitor>[0]) {
	const monitor = await openMonitor({ computers: 7, ...options });
	await monitor.pass(minute);
	monitor.simulator.world.fail('atlas', 'it broke');
	await monitor.pass(minute, 5 * second);
	await monitor.pass(8.5 * minute, 5 * minute);
	monitor.simulator.world.fail('borealis', 'out of memory');
	await monitor.pass(10 * second, 5 * second);
	await monitor.pass(10 * minute, 5 * minute);
	return monitor;
}

test.each<[string, readonly string[], RegExp, RegExp]>([
	['table', [], /❯ atlas +✖ Error 10s +it broke/, /❯ atlas +● Active +1\.4\.2/],
	['map', ['m'], /❯ atlas +✖ Error 10s +it broke/, /❯ atlas +● Active +1\.4\.2/],
	['detail', ['enter'], /atlas +✖ Error 0s/, /atlas +✖ Error 0s/],
])(
	'the keys [ and ] step through the changes in the %s, and the header and the rule say so',
	async (_, keys, then, earlier) => {
		const monitor = await openWithPast();
		await monitor.press(...keys, '[', '[');
		await monitor.see(/◷ 08:01, 19 m ago/);
		await monitor.see(
			/looking back +2026-11-21 08:01:\d\d +only status, stage and version are known/,
		);
		await monitor.see(then);
		await monitor.press('[', '[', '[');
		await monitor.see('The journal knows nothing earlier');
		await monitor.see(earlier);
		await monitor.press(']', ']', ']', ']', ']');
		await monitor.see(/live, \d s ago/);
		await monitor.see('This is now');
	},
);

test.each(['escape', 'q', '5'])(
	'the key %s returns to now, and closes nothing else of the table',
	async key => {
		const monitor = await openWithPast();
		await monitor.press('space', '{');
		await monitor.see(/atlas +● Active/);
		await monitor.press(key);
		await monitor.see('This is now');
		await monitor.see(/live, \d s ago/);
		await monitor.press('1');
		await monitor.see('1 marked');
		await monitor.see(/▪ +atlas +✖ Error/);
	},
);

test('the cursor comes back to a computer that did not exist then', async () => {
	const monitor = await openWithPast();
	monitor.simulator.world.create('nova');
	await monitor.pass(30 * second, 5 * second);
	await monitor.press('G').see('❯ nova');
	await monitor.press('{').see('❯ gemini');
	await monitor.pass(2 * second);
	await monitor.press('escape').see('❯ nova');
	await monitor.press('{', 'k', 'escape').see('❯ fornax');
});

test('each earlier time is in its own order at once', async () => {
	const monitor = await openWithPast();
	await monitor.press('o', 't', '[').see(/NAME[^\n]*\n...borealis/);
	await monitor.press('[').see(/NAME[^\n]*\n...atlas/);
	await monitor.press(']').see(/NAME[^\n]*\n...borealis/);
});

test('nothing can be asked in the past, from no key and from no line of the palette, but L locks', async () => {
	const monitor = await openWithPast();
	await monitor.press('[');
	for (const keys of [
		['s'],
		['x'],
		['r'],
		['u'],
		['p'],
		['D'],
		['n'],
		['F'],
		['!'],
		['I'],
		['R'],
	]) {
		await monitor.press(...keys);
		await monitor.see('This is the past: Esc returns to now');
	}
	for (const command of ['delete', 'create a computer', 'idle stop', 'delete atlas']) {
		await monitor.press(':', ...command).seeNo('back to now', 'Nothing matches');
		await monitor.press('enter');
		await monitor.see('This is the past: Esc returns to now');
	}
	await monitor.press(':', ...'atlas').seeNo('Stop atlas', 'Delete atlas');
	await monitor.press('escape', 'L');
	await monitor.see('Locked.');
	await monitor.pass(10 * second);
	expect(monitor.operationRequests()).toEqual([]);
});

test('a look back holds a countdown, which begins anew when it ends', async () => {
	const monitor = await openWithPast();
	await monitor.press('/', 'fornax', 'enter', 'r');
	await monitor.answer('y');
	await monitor.pass(2 * second, second);
	await monitor.press('[');
	await monitor.see('Restarting fornax: on hold');
	await monitor.pass(20 * second);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.press('escape');
	await monitor.see(/Restarting (fornax )?in 4 s/);
	await monitor.pass(3 * second, second);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.pass(3 * second, second);
	expect(monitor.operationRequests()).toHaveLength(1);
});

test('a failure that happens meanwhile is announced as of now, and rings', async () => {
	const monitor = await openWithPast();
	await monitor.press('[', '[');
	monitor.simulator.world.fail('gemini', 'kernel panic');
	await monitor.pass(5 * second, second);
	await monitor.see(/Now: gemini: active for .* → error: kernel panic/);
	await monitor.see(/gemini +● Active/);
	expect(monitor.effects.bells).toBeGreaterThan(0);
});

test('an outage that happens meanwhile is said over the past, and Esc is named at 60 columns', async () => {
	const monitor = await openWithPast({ size: [60, 15], computers: 24 });
	await monitor.press('[', '[');
	await monitor.see('Esc back to now');
	await monitor.seeNo('OFFLINE');
	monitor.simulator.setFaults([{ target: '*', kind: 'reset' }]);
	await monitor.pass(2 * minute, 5 * second);
	await monitor.see(/^━ OFFLINE for \d m \d\d s · (next try in \d+ s|trying now) ━/m);
	await monitor.seeNo('R tries now');
	await monitor.press('escape');
	await monitor.see(/OFFLINE .*R tries now/);
});

test('the past of several accounts is one, and fits 60 columns', async () => {
	const monitor = await openSeveralAccounts({ size: [60, 15] });
	await monitor.pass(minute);
	monitor.platformOf('work').world.fail('atlas', 'it broke');
	await monitor.pass(minute, 5 * second);
	await monitor.pass(4 * minute, 2 * minute);
	monitor.platformOf('lab').world.fail('atlas', 'so did this');
	await monitor.pass(minute, 5 * second);
	await monitor.pass(4 * minute, 2 * minute);
	await monitor.press('[');
	await monitor.see(/◷ 08:06, \d m ago/);
	await monitor.press('[');
	await monitor.see(/lab +atlas +● Active/);
});

test('a listener hears the time, what changed then and the row under the cursor, and that the past has ended', async () => {
	const monitor = await openSpokenMonitor();
	monitor.simulator.world.fail('atlas', 'it broke');
	await monitor.pass(minute);
	await monitor.press('[');
	await monitor.hear(
		/^Looking back to 08:00:08, \d+ seconds ago: eridanus: stopping, now stopped$/,
	);
	await monitor.hear(/^1 of 7: atlas, Error 0 seconds, it broke/);
	await monitor.press('x');
	await monitor.hear('This is the past: Escape returns to now');
	await monitor.press('escape');
	await monitor.hear('This is now');
});
