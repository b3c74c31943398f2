import { expect, test } from 'vitest';
import { type Monitor, openMonitor } from '../driver/monitor.ts';
import { recordDirectWrites } from './direct-writes.ts';
import { terminals } from './matrix-facts.ts';
import { neededCapabilities, neededColours } from './matrix-sequences.ts';

// At the last of these widths, there is no room for the details beside the table.
const widths = [60, 160, 120];

const unchanged = {
	bracketedPasteMode: false,
	sendFocusMode: false,
	mouseTrackingMode: 'none',
	synchronizedOutputMode: false,
	wraparoundMode: true,
};

/** Expects that each row is in its place: no line has wrapped, and no line has scrolled away. */
function expectToFit({ device, lines }: Monitor, last: string) {
	expect(lines()[0]).toContain('Fleet');
	expect(lines().at(-1)).toContain(last);
	const { active } = device.emulator.buffer;
	for (let y = 0; y < device.emulator.rows; y += 1) {
		expect(active.getLine(active.baseY + y)?.isWrapped).toBe(false);
	}
}

test.each(Object.entries(terminals))(
	'on the terminal “%s”, the monitor sends only sequences that the terminal knows, and restores the terminal at exit',
	async (_, facts) => {
		const past = recordDirectWrites();
		const { env, knows, colours, hasUnicode, hasTitle, clipboard } = facts;
		const monitor = await openMonitor({
			computers: 24,
			size: [90, 20],
			system: { env: { LANG: 'C.UTF-8', ...env }, fd: past.fd },
		});
		const cursor = hasUnicode ? '❯ atlas' : '> atlas';
		const rule = hasUnicode ? ' ─' : ' -';
		await monitor.see(cursor);
		await monitor.press('j', 'k');
		for (const width of widths) {
			monitor.resize(width, 20);
			await monitor.see(cursor);
			// The rule above the table goes from edge to edge.
			expect(monitor.lines().some(line => line.length === width && line.endsWith(rule))).toBe(true);
			expectToFit(monitor, '? help');
		}
		await monitor.press('j', 'G', '\x1b[5~', 'g', 'enter');
		await monitor.see('198.18.0.1');
		await monitor.press('escape');
		await monitor.seeNo('198.18.0.1');
		await monitor.press('x');
		await monitor.see('Stop atlas?');
		expectToFit(monitor, '');
		await monitor.answer('n');
		await monitor.seeNo('Stop atlas?');
		await monitor.press('y');
		await monitor.see(clipboard ? 'Copied' : 'no clipboard access');
		if (hasTitle) expect(monitor.effects.titles.at(-1)).toContain('crowsnest');

		await monitor.press('q');
		expect(monitor.device.exits).toEqual([0]);
		const resets = past.text();
		await new Promise<void>(done => monitor.device.emulator.write(resets, done));
		const received = monitor.device.written() + resets;
		expect(
			[...neededCapabilities(received)].filter(each => !knows.some(known => known === each)),
		).toEqual([]);
		expect(neededColours(received)).toBe(colours);
		if (!hasUnicode) expect(received).not.toMatch(/[^\x00-\x7f]/);
		expect(/\x1b\][02];/.test(received)).toBe(hasTitle);
		if (clipboard) expect(received).toMatch(clipboard);
		else expect(received).not.toContain('\x1b]');
		const { modes, buffer } = monitor.device.emulator;
		expect(modes).toMatchObject(unchanged);
		expect(buffer.active.type).toBe('normal');
		expect(received.lastIndexOf('\x1b[?25h')).toBeGreaterThan(received.lastIndexOf('\x1b[?25l'));
		expect(monitor.effects.titles.at(-1) ?? '').toBe('');
	},
);
