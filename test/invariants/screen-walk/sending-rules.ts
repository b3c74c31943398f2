import type { CountdownCover } from './frame.ts';
import type { ArrivedRequest } from './permissions.ts';
import type { Report } from './report.ts';

type Options = {
	report: Report;
	elapsed: () => number;
	isReadOnly: boolean;
};

const lockAfterMs = 600_000;
const hour = 3_600_000;
const maxCreatesPerHour = 5;

/** Reports requests at times when nothing may be sent, even if the operation was confirmed. */
export function createSendingRules({ report, elapsed, isReadOnly }: Options) {
	const { counts, problem } = report;
	const creates: number[] = [];
	let isLocked = false;
	let activeAt = elapsed();
	/** Requests after a key in the quit dialog. They are wrong unless that key has closed the dialog. */
	let suspects: string[] = [];

	function checkCreates() {
		creates.push(elapsed());
		const recentCreates = creates.filter(at => elapsed() - at < hour);
		if (recentCreates.length > maxCreatesPerHour)
			problem(`${recentCreates.length} creates within an hour`);
	}

	return {
		isLocked: () => isLocked,
		/** Reads a frame, which says when the monitor locks. */
		saw(frame: string, cover: CountdownCover | undefined, before: CountdownCover | undefined) {
			if (before === 'quit' && cover === 'quit') suspects.forEach(problem);
			suspects = [];
			if (!frame.includes('Locked. Still watching; L unlocks')) return;
			if (!isLocked) counts.locks += 1;
			isLocked = true;
		},
		unlocked() {
			isLocked = false;
		},
		/** Records that a person did something. */
		active() {
			activeAt = elapsed();
		},
		arrived(
			arrival: ArrivedRequest,
			request: string,
			cover: CountdownCover | undefined,
			hadKeys: boolean,
		) {
			if (arrival.hasQuit) problem(`${request} after quit`);
			if (isReadOnly) problem(`${request} while read-only`);
			if (isLocked) problem(`${request} while locked`);
			if (elapsed() - activeAt >= lockAfterMs)
				problem(`${request} after ten minutes without a key`);
			activeAt = elapsed();
			if (cover === 'quit') {
				const why = `${request} while the quit dialog was open`;
				if (hadKeys) suspects.push(why);
				else problem(why);
			}
			if (arrival.operation === 'create') checkCreates();
		},
	};
}
