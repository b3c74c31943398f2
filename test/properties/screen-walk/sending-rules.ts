import type { Cover } from './frame.ts';
import type { Arrival } from './permissions.ts';
import type { Report } from './report.ts';

type Options = {
	report: Report;
	/** The time as the program sees it: it may jump. */
	wall: () => number;
	elapsed: () => number;
	isReadOnly: boolean;
};

const lockAfter = 600_000;
const hour = 3_600_000;
const createsPerHour = 5;

/** When nothing at all may be sent, whatever was confirmed. */
export function createSendingRules({ report, wall, elapsed, isReadOnly }: Options) {
	const { met, problem } = report;
	const creates: number[] = [];
	let isLocked = false;
	let activeAt = wall();
	/** Sent after a key while the quit dialog was open: right only if that key has closed the dialog. */
	let suspects: string[] = [];

	function checkCreates() {
		creates.push(elapsed());
		const lately = creates.filter(at => elapsed() - at < hour);
		if (lately.length > createsPerHour) problem(`${lately.length} creates within an hour`);
	}

	return {
		isLocked: () => isLocked,
		/** A frame is on screen: the lock says so when it closes. */
		saw(frame: string, cover: Cover | undefined, before: Cover | undefined) {
			if (before === 'quit' && cover === 'quit') suspects.forEach(problem);
			suspects = [];
			if (!frame.includes('Locked. Still watching; L unlocks')) return;
			if (!isLocked) met.locks += 1;
			isLocked = true;
		},
		unlocked() {
			isLocked = false;
		},
		/** A person has done something. */
		active() {
			activeAt = wall();
		},
		arrived(arrival: Arrival, what: string, cover: Cover | undefined, hadKeys: boolean) {
			if (arrival.hasQuit) problem(`${what} after quit`);
			if (isReadOnly) problem(`${what} while read-only`);
			if (isLocked) problem(`${what} while locked`);
			if (wall() - activeAt >= lockAfter) problem(`${what} after ten minutes without a key`);
			activeAt = wall();
			if (cover === 'quit') {
				const why = `${what} while the quit dialog was open`;
				if (hadKeys) suspects.push(why);
				else problem(why);
			}
			if (arrival.operation === 'create') checkCreates();
		},
		clear() {
			isLocked = false;
			suspects = [];
		},
	};
}
