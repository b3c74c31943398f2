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

const inHours = (stretches: ReturnType<typeof phaseSpansOf>) =>
	stretches.map(({ from, to, phase }) => [(now - from) / hour, (now - to) / hour, phase]);

test('the day strip shows phases whose begin and end were seen, and nothing before them', () => {
	const changes = [
		change(10, 'active', 'stopped', { lasted: 6 * hour }),
		change(4, 'stopped', 'active', { lasted: 6 * hour }),
	];
	expect(inHours(phaseSpansOf(changes, now, 24))).toEqual([
		[24, 16, 'unseen'],
		[16, 10, 'active'],
		[10, 4, 'stopped'],
		[4, 0, 'active'],
	]);
});

test('the day strip leaves out a phase whose begin was not seen', () => {
	const changes = [change(10, 'active', 'stopped'), change(4, 'stopped', 'active')];
	expect(inHours(phaseSpansOf(changes, now, 24))).toEqual([
		[24, 4, 'unseen'],
		[4, 0, 'active'],
	]);
});

test('the day strip shows the time between two distant reads as unseen', () => {
	const late = { lasted: 6 * hour, notBefore: now - 7 * hour };
	const changes = [change(4, 'active', 'stopped', late)];
	expect(inHours(phaseSpansOf(changes, now, 12))).toEqual([
		[12, 10, 'unseen'],
		[10, 7, 'active'],
		[7, 4, 'unseen'],
		[4, 0, 'stopped'],
	]);
});

test('the day strip continues the last phase only over the time in which the fleet was watched', () => {
	const changes = [change(20, 'stopped', 'active', { lasted: hour })];
	const present = (ago: number, phase: 'active' | 'stopped' = 'active') =>
		inHours(phaseSpansOf(changes, now, 22, { phase, since: now - ago * hour }));
	expect(present(20)).toEqual([
		[22, 21, 'unseen'],
		[21, 20, 'stopped'],
		[20, 0, 'active'],
	]);
	expect(present(3).slice(2)).toEqual([
		[20, 3, 'unseen'],
		[3, 0, 'active'],
	]);
	expect(present(3, 'stopped').slice(2)).toEqual([
		[20, 3, 'unseen'],
		[3, 0, 'stopped'],
	]);
});

test('without changes, the day strip shows the current phase from the time at which the phase was first seen', () => {
	const since = now - 2 * hour;
	expect(inHours(phaseSpansOf([], now, 6, { phase: 'active', since }))).toEqual([
		[6, 2, 'unseen'],
		[2, 0, 'active'],
	]);
	expect(inHours(phaseSpansOf([], now, 6))).toEqual([[6, 0, 'unseen']]);
	expect(inHours(phaseSpansOf([change(3, 'active', null)], now, 6))).toEqual([[6, 0, 'unseen']]);
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

test('each cell of the day strip shows the longest phase of its period, or an error if one occurred in the period', () => {
	const changes = [
		change(4.1, 'active', 'stopped', { lasted: 20 * hour }),
		change(2, 'stopped', 'error', { lasted: 2.1 * hour }),
		change(1.95, 'error', 'active', { lasted: 0.05 * hour }),
	];
	expect(dayStripOf(phaseSpansOf(changes, now, 6), now, 6, 6)).toEqual([
		'active',
		'active',
		'stopped',
		'stopped',
		'error',
		'active',
	]);
});

test('the day strip reports how much of the watched time each phase took', () => {
	const changes = [change(4, 'active', 'stopped', { lasted: 6 * hour })];
	const { watchedMs: watched, shares } = phaseSharesOf(phaseSpansOf(changes, now, 24));
	expect(watched).toBe(10 * hour);
	expect(shares.get('active')).toBeCloseTo(0.6);
	expect(shares.get('stopped')).toBeCloseTo(0.4);
	expect(phaseSharesOf(phaseSpansOf([], now, 24))).toEqual({ watchedMs: 0, shares: new Map() });
});
