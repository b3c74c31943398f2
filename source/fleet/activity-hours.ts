import * as v from '../foundation/schema.ts';
import type { Change } from './change.ts';
import { phaseOf } from './computers/computer.ts';
import type { CreditSample } from './computers/runway.ts';

const activityHour = v.object({
	/** The number of the hour since 1970. */
	hour: v.number,
	changes: v.count,
	failures: v.count,
});

/** How many changes of status and how many failures there were in one hour. */
export type ActivityHour = v.ValueOf<typeof activityHour>;

export const activityHoursSchema = v.listOf(activityHour);

/** The last hours, oldest first. An hour in which the fleet was not watched is missing. */
export type ActivityHours = v.ValueOf<typeof activityHoursSchema>;

export const activityHourCount = 24;

const hourMs = 3_600_000;

export const hourNumberAt = (time: number) => Math.floor(time / hourMs);

/** Returns the time at which the first of the last 24 hours begins. */
export const firstActivityHourAt = (now: number) =>
	(hourNumberAt(now) - activityHourCount + 1) * hourMs;

/** Notes that the fleet was watched at this time. Returns the same object if the hour was noted already. */
export function withWatchedTime(hours: ActivityHours, at: number): ActivityHours {
	const hour = hourNumberAt(at);
	if (hours.some(each => each.hour === hour)) return hours;
	return latestHours([...hours, { hour, changes: 0, failures: 0 }]);
}

/** Counts further changes. Changes of the account, such as a top-up, do not count. */
export function withChangesCounted(
	hours: ActivityHours,
	changes: readonly Change[],
): ActivityHours {
	const counts = new Map<number, ActivityHour>();
	for (const change of changes) {
		const added = countsOf(change);
		if (!added) continue;
		const hour = hourNumberAt(change.at);
		const before = counts.get(hour) ?? hours.find(each => each.hour === hour);
		counts.set(hour, {
			hour,
			changes: (before?.changes ?? 0) + added.changes,
			failures: (before?.failures ?? 0) + added.failures,
		});
	}
	if (counts.size === 0) return hours;
	return latestHours([...hours.filter(({ hour }) => !counts.has(hour)), ...counts.values()]);
}

function countsOf(change: Change): Pick<ActivityHour, 'changes' | 'failures'> | undefined {
	if (change.type === 'statusChanged') {
		const hasFailed = change.to !== null && phaseOf(change.to) === 'error';
		return { changes: 1, failures: Number(hasFailed) };
	}
	const isFailure = change.type === 'operationMoved' && change.to === 'failed';
	return isFailure ? { changes: 0, failures: 1 } : undefined;
}

/**
 * Counts the changes of earlier runs. The fleet also counts as watched in every hour in which a credit balance was
 * read.
 */
export function activityFromPast(
	changes: readonly Change[],
	samples: readonly CreditSample[],
	now: number,
): ActivityHours {
	const isRecent = ({ at }: { at: number }) =>
		hourNumberAt(at) > hourNumberAt(now) - activityHourCount && at <= now;
	const watched = [...new Set(samples.filter(isRecent).map(({ at }) => hourNumberAt(at)))];
	return withChangesCounted(
		watched.map(hour => ({ hour, changes: 0, failures: 0 })),
		changes.filter(isRecent),
	);
}

/**
 * Merges the hours of earlier runs with the hours of this run. Both may have counted the same changes, so each hour
 * keeps the higher count.
 */
export function mergedActivity(one: ActivityHours, other: ActivityHours): ActivityHours {
	return combined(one, other, Math.max);
}

/** Adds up the hours of different accounts. */
export function addedActivity(one: ActivityHours, other: ActivityHours): ActivityHours {
	return combined(one, other, (a, b) => a + b);
}

function combined(
	one: ActivityHours,
	other: ActivityHours,
	join: (a: number, b: number) => number,
): ActivityHours {
	const byHour = new Map(one.map(each => [each.hour, each]));
	for (const each of other) {
		const before = byHour.get(each.hour) ?? { hour: each.hour, changes: 0, failures: 0 };
		byHour.set(each.hour, {
			hour: each.hour,
			changes: join(before.changes, each.changes),
			failures: join(before.failures, each.failures),
		});
	}
	return latestHours([...byHour.values()]);
}

function latestHours(hours: readonly ActivityHour[]): ActivityHours {
	const sorted = hours.toSorted((a, b) => a.hour - b.hour);
	const latest = sorted.at(-1)?.hour ?? 0;
	return sorted.filter(({ hour }) => hour > latest - activityHourCount);
}
