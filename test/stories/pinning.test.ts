import { expect, test } from 'vitest';
import { memoryOf } from '../driver/memory.ts';
import { type Monitor, openMonitor } from '../driver/monitor.ts';
import { openSeveralAccounts } from '../driver/several-accounts.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';

const names = (monitor: Pick<Monitor, 'lines'>) =>
	monitor
		.lines()
		.flatMap(line => /^[ ▪◆+#][ ❯>] ((?:work|lab) +)?([a-z]+(?:-\d+)?) +\S/.exec(line)?.[2] ?? []);

test('pinned computers stand on top in every order, under the filter, and for the next start', async () => {
	const memory = memoryOf({ ordering: { by: 'name', isReversed: false } });
	const monitor = await openMonitor({ memory });
	await monitor.press('G', 't').see('gemini pinned on top', /^◆❯ gemini/m);
	expect(names(monitor).slice(0, 2)).toEqual(['gemini', 'atlas']);
	await monitor.press('g', 'j', 'space', 'j', 'space', 't').see('atlas and 1 more pinned on top');
	await monitor.see(/^▪. atlas.*\n▪. cygnus.*\n◆. gemini/m);
	await monitor.press('escape', '=');
	expect(names(monitor).slice(0, 4)).toEqual(['gemini', 'cygnus', 'atlas', 'fornax']);
	await monitor.press(':', ...'pin fornax', 'enter').see('fornax pinned on top', /^◆. fornax/m);
	await monitor.press(':', ...'unpin fornax', 'enter').see('fornax unpinned');
	await monitor.press('/', 'name:fornax', 'enter').seeNo('gemini');
	await monitor.press('escape');
	monitor.close();
	const next = await openMonitor({ memory });
	await next.see(/^◆. gemini.*\n◆. cygnus.*\n◆. atlas/m);
	await next.press('g', 't').see('gemini unpinned', /^◆. cygnus/m);
	expect(memory.read().pins).toHaveLength(2);
});

test('a monitor that is locked and read-only pins, in ASCII, spoken, and for one of two accounts', async () => {
	const ascii = await openMonitor({ isReadOnly: true, conditions: { hasUnicode: false } });
	await ascii.press('L', 'G', 't').see(/^#> /m);
	const spoken = await openSpokenMonitor();
	await spoken.press('j', 't').hear('borealis pinned on top', /^1 of \d+: borealis, pinned, /);
	const two = await openSeveralAccounts();
	await two.press('/', 'account:lab atlas', 'enter', 't', 'escape').see(/^◆. lab +atlas/m);
	expect(two.text().match(/^◆/gm)).toHaveLength(1);
});
