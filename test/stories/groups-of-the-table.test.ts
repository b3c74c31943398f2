import { expect, test } from 'vitest';
import { memoryOf } from '../driver/memory.ts';
import { openMonitor } from '../driver/monitor.ts';
import { openSeveralAccounts } from '../driver/several-accounts.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';

const onGroup = 'Choose a computer: the cursor is on a group';

test('groups say their count and their trouble, fold with Enter, w, W and a click, and stay for the next start', async () => {
	const memory = memoryOf({ ordering: { by: 'name', isReversed: false } });
	const monitor = await openMonitor({ memory });
	await monitor.press('b').see('grouped by location', /▾ \S+ {2}\d+ computers/);
	await monitor
		.press('b', 'g')
		.see('grouped by status', /❯ ▾ error {2}1 computer\b[^\n]*\n {3}draco/);
	await monitor.press('enter').see('❯ ▸ error  1 computer');
	await monitor.seeNo(/^ {3}draco/m);
	await monitor.press('w').see('❯ ▾ error');
	await monitor.press('j').see('❯ draco');
	await monitor.press('w').see('❯ ▸ error');
	await monitor.press('W').seeNo('▾');
	await monitor.press('e').see(/▸ error[^\n]*\n ❯ draco/);
	await monitor.press('j').seeNo('❯ draco');
	const y = monitor.lines().findIndex(line => line.includes('▸ active'));
	monitor.mouse('press', 8, y);
	await monitor.pass(0).see('❯ ▾ active');
	monitor.close();
	const next = await openMonitor({ memory });
	await next.see('grouped by status', '▸ error', '▾ active');
	await next.press('b', 'b', 'b').seeNo('grouped', '▸');
	expect(memory.read().grouping).toBe('status');
});

test('when the table is grouped, the cursor stays on its computer, also beyond the first page', async () => {
	const monitor = await openMonitor({ size: [120, 14] });
	await monitor.goTo('gemini');
	await monitor.press('b').see('grouped by location', '❯ gemini');
});

test('on a group, no key is about a computer, and each says why', async () => {
	const monitor = await openMonitor();
	await monitor.press('b', 'g');
	for (const key of ['s', 'x', 'r', 'u', 'p', 'P', 'D', 'y', 'Y', 'v', 't', 'V'])
		await monitor.press('j', 'k', key).see(onGroup, '❯ ▾');
	await monitor.press(':', ...'stop computers', 'enter').see(onGroup);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.press('escape').seeNo('▪', '◆');
});

test('marks in folded groups are counted and named, and their rows are in sight while the operation runs', async () => {
	const monitor = await openMonitor();
	await monitor
		.press('b', 'b', 'W', 'a')
		.see(/^ \d+ computers marked, all of them in folded groups/m);
	await monitor.see(/▸ active {2}(\d+) computers {3}\1 marked/);
	await monitor.press('x').see(/(All|\d+) of these computers are in folded groups\./);
	await monitor.press('escape', 'escape').seeNo('marked');
});

test('a computer that comes into a folded group stays under the cursor until the cursor leaves it', async () => {
	const monitor = await openMonitor();
	await monitor.press('b', 'b', 'g', '/', ...'status:stopped', 'enter', 'g', 'w', 'escape');
	await monitor.press(':', ...'atlas', 'enter').see('❯ atlas', '▸ stopped');
	monitor.simulator.world.sleep('atlas');
	await monitor.pass(60_000, 5_000);
	await monitor.see(/▸ stopped[^\n]*\n ❯ atlas +○ Stopped/);
	await monitor.press('k').see('❯ ▸ stopped');
	await monitor.seeNo(/atlas +○/);
	await monitor.press('/', ...'atlas').see('❯ atlas');
	await monitor.press('enter').see('❯ atlas');
});

test('if the group under the cursor goes, the cursor stands on another group', async () => {
	const filter = 'draco OR cygnus';
	const monitor = await openMonitor({ memory: memoryOf({ grouping: 'status', filter }) });
	await monitor.press('G', 'w').see('❯ ▸ stopped  1 computer');
	monitor.simulator.world.remove('cygnus');
	await monitor.pass(30_000, 5_000);
	await monitor.see('❯ ▾ error  1 computer');
	await monitor.press('D').see(onGroup);
});

test('a spoken group is one line with its count, and two accounts are groups, in ASCII too', async () => {
	const spoken = await openSpokenMonitor();
	await spoken.press('b', 'g').hear(/^1 of \d+: group \S+, \d+ computers?, (.*, )?open$/);
	await spoken.press('w').hear(/^1 of \d+: group .*, folded$/);
	await spoken.press('x').hear(onGroup);
	const two = await openSeveralAccounts({ conditions: { hasUnicode: false } });
	await two.press('b', 'b', 'b', 'b', 'W').see('+ work', '+ lab', 'grouped by account');
	// A key about an account means that of the group.
	await two.press('g', ':', ...'sign out', 'enter').see('> + lab', 'Sign out of lab?');
});

test('under “trouble first” the group with trouble comes first, and groups keep their places while a person acts', async () => {
	const monitor = await openMonitor();
	const eu = /▾ eu-north[\s\S]*▾ ap-south/;
	const ap = /▾ ap-south[\s\S]*▾ eu-north/;
	await monitor.press('b').see('by name', ap);
	await monitor.press('o', 't').see(eu);
	await monitor.press('/', '-draco', 'enter').see(ap);
	await monitor.press('escape').see(eu);
	monitor.simulator.world.remove('draco');
	await monitor.press('R').see('draco is gone', eu);
	await monitor.pass(5_000, 500);
	await monitor.see(ap);
});

test('what comes after W is folded like the rest, and w opens one group of them', async () => {
	const memory = memoryOf({});
	const monitor = await openMonitor({ memory });
	for (const name of ['cygnus', 'eridanus']) monitor.simulator.world.remove(name);
	await monitor.press('b', 'b', 'W');
	await monitor.pass(30_000, 5_000);
	await monitor.seeNo('▸ stop');
	monitor.simulator.world.sleep('gemini');
	await monitor.pass(60_000, 5_000);
	await monitor.see(/▸ stopped[^\n]*computer/);
	await monitor.seeNo('▾');
	await monitor.press('g', 'w').see('❯ ▾ error', '▸ active');
	await monitor.press('b').see('▾');
	monitor.close();
	const next = await openMonitor({ memory });
	await next.press('b', 'b', 'b', 'b').see('▾ error', '▸ active');
	await next.press('W').seeNo('▾');
	await next.press('W').seeNo('▸');
});

test('Space on a group marks all of it, or unmarks it, and the question is about these computers', async () => {
	const monitor = await openMonitor();
	await monitor.press('b', 'g', 'j', 'j').see('❯ ▾ eu-north  4 computers', 'Space mark the group');
	await monitor.press('space').see(/❯ ▾ eu-north {2}4 computers[^\n]*4 marked/);
	await monitor.press('D').see('Delete 4 computers?', 'atlas, draco, eridanus, fornax');
	await monitor.press('escape', 'space').seeNo('marked', '▪');
	await monitor.press('w', 'space').see('4 marked (4 hidden)');
	await monitor.press('D').see('All of these computers are in folded groups.');
	await monitor.press('escape', 'escape', '/', ...'atlas OR borealis', 'enter', 'g');
	await monitor.press('space').see('1 marked');
	const spoken = await openSpokenMonitor();
	await spoken.press('b', 'g', 'space').hear('1 marked.');
});

test('the palette picks a grouping of the table, which it shows in place of the details, or of the map', async () => {
	const monitor = await openMonitor();
	await monitor.press('enter', ':', ...'group by version', 'enter').see('grouped by version', '▾');
	await monitor.press(':', ...'group by nothing', 'enter').seeNo('grouped', '▾');
	await monitor.press('m', ':', ...'group by account', 'enter').see('by account');
	// What names the table is about the table, which is behind the map.
	await monitor.press(':', ...'group the table by the next', 'enter').see('by account');
	await monitor.press('m').see('grouped by location', '▾');
});

test('at 40x10 a heading, the footer, the filter and the past say how many are marked', async () => {
	const monitor = await openMonitor();
	monitor.device.resize(40, 10);
	await monitor.press('a', 'b').see('1 error   4 marked', '7 marked');
	await monitor.press('b', 'b', 'b', 'b', '/', ...'status:error');
	await monitor.see(/status:error▏ +1 of 7 {2}7 marked/);
	await monitor.press('escape', 'm', 'w').see('No group to fold here', '7 marked');
	await monitor.seeNo(/fold here.*…/);
	monitor.simulator.world.sleep('gemini');
	await monitor.pass(60_000, 5_000);
	await monitor.press('[').see('Esc back to now', '7 marked');
});

test('a pinned computer stays in sight in a folded group', async () => {
	const monitor = await openMonitor();
	await monitor.press('G', 't', 'b', 'W', 'g').see(/▸ us-east {2}2 computers *\n◆. gemini/);
});

test('back from the map, the first group has its heading', async () => {
	const monitor = await openMonitor({ memory: memoryOf({ grouping: 'location' }), computers: 60 });
	await monitor.press('g', 'j').see(/▾[^\n]*\n ❯/);
	await monitor.press('m').seeNo('▾');
	await monitor.pass(0);
	await monitor.press('m').see(/NAME[^\n]*\n {3}▾[^\n]*\n ❯/);
});
