import { expect, test } from 'vitest';
import type { StatusChange } from '../../source/fleet/change.ts';
import { dayStripOf, phaseSharesOf, phaseSpansOf } from '../../source/fleet/day-strip.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 21, 8);

/** Creates a change that happened `ago` hours ago. It was noticed within two seconds, unless `more` says otherwise. */
function change(
	ago: number,
	from: string | null,
	to: string | null,
	more: Partial<StatusChange> = {},
): StatusChange {
	const at = now - ago * hour;
	return { type: 'statusChanged', id: 'sb_1', at, notBefore: at - 2000, from, to, ...more };
}

/** Draws a letter for each hour, and a dot for one that nobody watched. */
const drawn = (hours: number, changes: readonly StatusChange[], current?: Current) =>
	dayStripOf(phaseSpansOf(changes, now, hours, current), now, hours, hours)
		.map(phase => (phase === 'unseen' ? '·' : phase[0]?.toUpperCase()))
		.join('');

type Current = Parameters<typeof phaseSpansOf>[3];

const since = (ago: number, phase: 'active' | 'stopped' = 'active'): Current => ({
	phase,
	since: now - ago * hour,
});

const whole = [
	change(10, 'active', 'stopped', { lasted: 6 * hour }),
	change(4, 'stopped', 'active', { lasted: 6 * hour }),
];
const unknownBegin = [change(10, 'active', 'stopped'), change(4, 'stopped', 'active')];
const noticedLate = [
	change(4, 'active', 'stopped', { lasted: 6 * hour, notBefore: now - 7 * hour }),
];
const started = [change(20, 'stopped', 'active', { lasted: hour })];
const failed = [
	change(4.1, 'active', 'stopped', { lasted: 20 * hour }),
	change(2, 'stopped', 'error', { lasted: 2.1 * hour }),
	change(1.95, 'error', 'active', { lasted: 0.05 * hour }),
];

test.each<[string, string, number, readonly StatusChange[], Current?]>([
	['phases whose begin and end were seen', '········AAAAAASSSSSSAAAA', 24, whole],
	['no phase whose begin was not seen', '····················AAAA', 24, unknownBegin],
	['the time between two distant reads as unseen', '··AAA···SSSS', 12, noticedLate],
	['the last phase while it was watched', `·S${'A'.repeat(20)}`, 22, started, since(20)],
	['the last phase after a gap', `·S${'·'.repeat(17)}AAA`, 22, started, since(3)],
	['another phase after a gap', `·S${'·'.repeat(17)}SSS`, 22, started, since(3, 'stopped')],
	['the current phase without changes', '····AA', 6, [], since(2)],
	['nothing without anything', '······', 6, []],
	['nothing of a removed computer', '······', 6, [change(3, 'active', null)]],
	['the longest phase of an hour, or an error', 'AASSEA', 6, failed],
])('the day strip shows %s', (_, strip, hours, changes, current) => {
	expect(drawn(hours, changes, current)).toBe(strip);
});

test('the day strip has no gap, even if changes carry times from wrong clocks', () => {
	const changes = [
		change(5, 'active', 'stopped', { lasted: 90 * hour }),
		change(-1, 'stopped', 'active', { lasted: 8 * hour }),
		change(3, null, 'provisioning', { notBefore: now + hour }),
	];
	const stretches = phaseSpansOf(changes, now, 24, { phase: 'active', since: now + 5 * hour });
	let end = now - 24 * hour;
	for (const { from, to } of stretches) {
		expect(from).toBe(end);
		expect(to).toBeGreaterThan(from);
		end = to;
	}
	expect(end).toBe(now);
});

test('the day strip reports how much of the watched time each phase took', () => {
	const changes = [change(4, 'active', 'stopped', { lasted: 6 * hour })];
	const { watchedMs: watched, shares } = phaseSharesOf(phaseSpansOf(changes, now, 24));
	expect(watched).toBe(10 * hour);
	expect(shares.get('active')).toBeCloseTo(0.6);
	expect(shares.get('stopped')).toBeCloseTo(0.4);
	expect(phaseSharesOf(phaseSpansOf([], now, 24))).toEqual({ watchedMs: 0, shares: new Map() });
});
