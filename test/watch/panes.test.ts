import { describe, expect, test } from 'vitest';
import { oldestListAge, type PaneOptions, runPanes } from './simulation/panes.ts';

const second = 1_000;
const minute = 60 * second;

const panesEvery = (count: number, everyMs: number): PaneOptions[] =>
	Array.from({ length: count }, (_, place) => ({ opensAt: place * everyMs }));

describe('panes that each poll for themselves', () => {
	test.each([0, 300, 5 * second])(
		'show no list older than half a minute if three of them open %i ms apart',
		async everyMs => {
			const run = await runPanes(panesEvery(3, everyMs), { forMs: 4 * minute });
			expect(oldestListAge(run)).toBeLessThanOrEqual(30);
			expect(run.windows.other.worst).toBeLessThanOrEqual(24);
			expect(run.windows.other.refused + run.windows.status.refused).toBe(0);
		},
	);

	test('all read on if there are ten of them, and keep the limits', async () => {
		const run = await runPanes(panesEvery(10, 300), { forMs: 10 * minute });
		expect(oldestListAge(run)).toBeLessThanOrEqual(150);
		expect(run.windows.other.worst).toBeLessThanOrEqual(24);
		expect(run.windows.other.refused).toBe(0);
	});

	test('read at once when the process was suspended, and keep the limits', async () => {
		const away = { suspended: { at: minute, forMs: 2 * minute } };
		const { panes, windows } = await runPanes([{}, {}, away], { forMs: 5 * minute });
		const [, , suspended] = panes;
		expect(Math.max(...(suspended?.ages ?? [])) / second).toBeLessThanOrEqual(140);
		expect(windows.other.worst).toBeLessThanOrEqual(24);
	});

	test('slow down for commands that list in a loop', async () => {
		const { panes, windows } = await runPanes([{}], {
			forMs: 5 * minute,
			beside({ clock, limiter, windows: all }) {
				const { signal } = new AbortController();
				const list = async () => {
					const slot = await limiter.acquire('other', { priority: 'operation', signal });
					all.other.arrive(clock.elapsed(), true);
					slot.reportResponse({ status: 200, headers: new Headers() });
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
