import nodeFiles, { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { oldestListAge, type PaneOptions, runPanes } from './simulation/panes.ts';

const second = 1_000;
const minute = 60 * second;

const panesEvery = (count: number, everyMs: number, more: PaneOptions = {}): PaneOptions[] =>
	Array.from({ length: count }, (_, place) => ({ ...more, opensAt: place * everyMs }));

/** Runs the panes with a real folder on the disk. */
function runOnDisk(panes: readonly PaneOptions[], forMs: number) {
	const directory = mkdtempSync(join(tmpdir(), 'panes-'));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	return runPanes(panes, { forMs, files: nodeFiles, directory });
}

describe('panes with one ledger', () => {
	test.each([0, 300, second, 5 * second, 20 * second])(
		'show no list older than ten seconds if three of them open %i ms apart',
		async everyMs => {
			const run = await runOnDisk(panesEvery(3, everyMs), 4 * minute);
			expect(oldestListAge(run)).toBeLessThanOrEqual(10);
			expect(run.windows.other.worst).toBeLessThanOrEqual(24);
			expect(run.windows.other.refused + run.windows.status.refused).toBe(0);
		},
	);

	// Panes that open within a second of the first pane wait a little longer once. The first pane was still alone and
	// has read the list and the account, and these slots end only after a minute.
	test.each([
		[0, 30],
		[300, 31],
		[3 * second, 30],
		[10 * second, 30],
	])(
		'each show a list about every half minute if ten of them open %i ms apart',
		async (everyMs, most) => {
			const run = await runOnDisk(panesEvery(10, everyMs), 4 * minute);
			expect(oldestListAge(run)).toBeLessThanOrEqual(most);
			expect(run.windows.other.worst).toBeLessThanOrEqual(24);
			expect(run.windows.other.refused).toBe(0);
		},
	);

	test('leave what they do not need to a pane that needs more', async () => {
		const { panes } = await runPanes([{ mode: 'moving' }, { mode: 'unattended' }], {
			forMs: 5 * minute,
		});
		const [moving, unattended] = panes.map(({ facts }) => facts.get('listRead') ?? 0);
		expect(moving).toBeGreaterThan(70);
		expect(unattended).toBeGreaterThan(25);
		expect(unattended).toBeLessThan(36);
	});

	test('use the part of a pane that has quit when its slots have ended', async () => {
		const quitting = { mode: 'moving', quitsAt: 2 * minute } as const;
		const { panes } = await runPanes([{ mode: 'moving' }, quitting, quitting], {
			forMs: 6 * minute,
		});
		const [left] = panes;
		const late = left?.ages.slice(-30) ?? [];
		expect(Math.max(...late) / second).toBeLessThanOrEqual(4);
	});

	test('read at once when the process was suspended, and keep the limits', async () => {
		const away = { suspended: { at: minute, forMs: 2 * minute } };
		const { panes, windows } = await runPanes([{}, {}, away], { forMs: 5 * minute });
		const [first, , suspended] = panes;
		expect(Math.max(...(first?.ages ?? [])) / second).toBeLessThanOrEqual(12);
		expect(Math.max(...(suspended?.ages ?? [])) / second).toBeLessThanOrEqual(135);
		expect(windows.other.worst).toBeLessThanOrEqual(24);
	});

	test('slow down for commands on the same ledger that list in a loop', async () => {
		const { panes, windows } = await runPanes([{}], {
			forMs: 5 * minute,
			beside({ clock, pace, windows: all }) {
				const { signal } = new AbortController();
				const list = async () => {
					const permit = await pace.acquire('other', { priority: 'operation', signal });
					all.other.arrive(clock.elapsed(), true);
					permit.reportResponse({ status: 200, headers: new Headers() });
					clock.after(3 * second, () => void list());
				};
				void list();
			},
		});
		expect(windows.other.worst).toBeLessThanOrEqual(30);
		expect(windows.other.refused).toBe(0);
		expect(panes[0]?.facts.get('listRead')).toBeGreaterThan(8);
	});
});
