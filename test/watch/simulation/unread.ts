import type { PollingMode } from '../../../source/fleet/reads.ts';
import { modeShares } from '../../../source/watch/polling-mode.ts';
import { type Figure, figureAtMost } from './figure.ts';
import { createMinimalList } from './minimal-list.ts';

const minute = 60_000;
const hour = 60 * minute;

/**
 * Measures what the status of each computer is read for where the list has nothing but the status word. Each computer
 * changes every four hours, and a newer version is out in the middle.
 */
export async function measureUnread({
	mode,
	computers,
	hours,
}: {
	mode: Exclude<PollingMode, 'moving'>;
	computers: number;
	hours: number;
}): Promise<readonly Figure[]> {
	const fleet = createMinimalList({
		computers,
		failed: Math.floor(computers / 7),
		isAttended: mode === 'calm',
		visible: Array.from({ length: 24 }, (_, place) => `sb_${place}`),
		changeEvery: 4 * hour,
	});
	const { clock, watch, windows, statusReads } = fleet;
	watch.start();
	await clock.live((hours / 2) * hour);
	fleet.release('1.6.0');
	await clock.live((hours / 2) * hour);
	watch.stop();
	const name = `${mode}, ${computers} computers, ${hours} h`;
	const reasons = statusReads.map(({ reason }) => reason);
	// All are read once, beside those whose status changes meanwhile.
	const round = computers / (60 * modeShares[mode]);
	const mostUsed = Math.max(windows.status.worst / 60, windows.other.worst / 30);
	return [
		{
			...figureAtMost(
				`${name}: read without a reason`,
				reasons.length - new Set(reasons).size,
				'',
				0,
			),
			beside: `of ${reasons.length} status reads`,
		},
		figureAtMost(
			`${name}: longest time unknown`,
			fleet.longestUnknown() / minute,
			'min',
			2 * round,
		),
		figureAtMost(`${name}: used in any minute`, mostUsed * 100, '%', modeShares[mode] * 100),
		figureAtMost(`${name}: refused`, windows.status.refused + windows.other.refused, '', 0),
	];
}
