import { expect, test } from 'vitest';
import { startSimulator } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';
import { memoryOf } from '../driver/memory.ts';
import { type Monitor, openMonitor } from '../driver/monitor.ts';
import { openRecordedMonitor, openReplay } from '../driver/replay.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';

async function choose(monitor: Pick<Monitor, 'press' | 'answer'>, text: string) {
	await monitor.press(':');
	await monitor.answer(...text, 'enter');
}

const shareOf = ({ session }: Monitor) =>
	session.store.getState().accounts.get(session.account)?.chosenShare?.share;

test('a setting that is chosen in the palette applies at once and after the next start', async () => {
	const memory = memoryOf({});
	const monitor = await openMonitor({ memory });
	await choose(monitor, 'share half');
	await monitor.see('Share is half now');
	expect(shareOf(monitor)).toBe('half');
	await choose(monitor, 'notify when computers off');
	await monitor.see('Notify when computers fail is off now');
	monitor.simulator.world.fail('atlas', 'it broke');
	await monitor.pass(60_000);
	expect(monitor.effects.notified).toEqual([]);
	const next = await openMonitor({ memory });
	expect(shareOf(next)).toBe('half');
	await next.press(':');
	await next.answer('share').see('Share: half → full');
	await next.answer(' full', 'enter').see('Share is full now');
	expect(Object.keys(memory.read().settings ?? {})).toEqual(['notify.computerFailed']);
});

test('an option of the command line wins over the kept choice for one run, leaves the choice alone, and can be changed while the monitor runs', async () => {
	const light = { word: 'light', over: 'of the terminal', chosenAt: 1 };
	const memory = memoryOf({ settings: { theme: light } });
	const fixed = new Map([
		['theme', 'dark'],
		['mouse', 'on'],
	]);
	const monitor = await openMonitor({ memory, settingSources: { fixed } });
	await monitor.press(':');
	await monitor.answer('theme').see('Theme: dark → light');
	await monitor.press('escape');
	expect(memory.read().settings).toEqual({ theme: light });
	await choose(monitor, 'mouse off');
	await monitor.see('Mouse is off now');
	const latestMouseMode = () => monitor.device.written().match(/.*\[\?(1000[hl])/s)?.[1];
	expect(latestMouseMode()).toBe('1000l');
	await choose(monitor, 'mouse on');
	expect(latestMouseMode()).toBe('1000h');
});

test('a read-only monitor changes how it looks, but not its share of the limits', async () => {
	const monitor = await openMonitor({ isReadOnly: true });
	await choose(monitor, 'share half');
	await monitor.see('Read-only: Share stays full');
	expect(shareOf(monitor)).toBeUndefined();
	await choose(monitor, 'theme light');
	await monitor.see('Theme is light now');
});

test('own colours from the configuration are on screen, as far as they can be seen on its background', async () => {
	const simulator = await startSimulator();
	simulator.world.fail('atlas', 'it broke');
	const monitor = await openConfiguredMonitor({
		profiles: { work: { simulator } },
		top: ['[theme]', 'background = "dark"', 'bad = "#ffff00"'],
	});
	await monitor.see('✖ Error');
	expect(monitor.device.colouredLine('✖ Error')).toContain('\x1b[38;5;226m✖ Error');
	await choose(monitor, 'theme light');
	expect(monitor.device.colouredLine('✖ Error')).toContain('\x1b[38;5;124m✖ Error');
});

test('in a replay, only settings of the display can be changed, and none of the reads', async () => {
	const replay = await openReplay((await openRecordedMonitor()).recorded());
	await replay.press(':', 'share half').see(':share half▏');
	await replay.seeNo('Share:');
	await replay.press('escape', ':', 'theme light', 'enter').see('Theme is light now');
});

test('the spoken monitor offers the settings that it can apply', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.press(':', 'share half', 'enter').hear('Share is half now');
});
