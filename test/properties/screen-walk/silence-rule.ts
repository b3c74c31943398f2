import { dialogIn, namedIn } from './frame.ts';
import type { Report } from './report.ts';

type Options = {
	report: Report;
	/** The time of the program, which may jump. */
	wall: () => number;
	/** The elapsed time, which never jumps. */
	elapsed: () => number;
};

const second = 1_000;
const minute = 60 * second;

/** Every read is repeated at least this often. */
const longestInterval = minute;
/** A frame shows the time of the last tick, which comes once a minute on a slow line. */
const tick = minute + 2 * second;
/** A silence this long is an outage, even if only one kind of read fails. */
const outage = 15 * second;
/** In a lower terminal a question may be cut. */
const roomyRows = 18;

/**
 * Reports frames that are wrong long after the last response of the platform: a live connection, a computer
 * that is shown as running now, or a question that does not mention the outage.
 */
export function createSilenceRule({ report, wall, elapsed }: Options) {
	const { met, problem } = report;
	let heardAt: number | undefined;
	let failedAt: number | undefined;
	const since: {
		outage?: number | undefined;
		live?: number | undefined;
		green?: number | undefined;
	} = {};

	/** Whether the outage is long enough to be on the screen. */
	function isShown(what: keyof typeof since, isSo: boolean): boolean {
		if (!isSo) since[what] = undefined;
		else since[what] ??= elapsed();
		return isSo && elapsed() - (since[what] ?? elapsed()) > tick;
	}

	function isOut(): boolean {
		if (heardAt === undefined || failedAt === undefined) return false;
		return wall() > Math.max(heardAt + outage, failedAt);
	}

	return {
		heard(isGood: boolean) {
			if (isGood) {
				heardAt = wall();
				failedAt = undefined;
			} else {
				failedAt ??= wall();
			}
		},
		saw(frame: string, isGreen: () => boolean) {
			const age = heardAt === undefined ? 0 : wall() - heardAt;
			const isOutage = isShown('outage', isOut());
			const mayNotBeLive = isShown('live', isOut() || age > 2 * longestInterval);
			const mayNotBeGreen = isShown('green', isOut() || age > 4 * longestInterval);
			if (mayNotBeGreen) met.silences += 1;
			if (mayNotBeLive && frame.includes('● live')) problem(`live after a silence of ${age}`);
			if (mayNotBeGreen && isGreen()) problem(`green after a silence of ${age}`);
			const { title = '', text = '' } = dialogIn(frame) ?? {};
			const isAboutComputer = !['pay', 'billing', undefined].includes(namedIn(title)?.operation);
			if (!isOutage || !isAboutComputer || frame.split('\n').length < roomyRows) return;
			met.silentQuestions += 1;
			if (!text.includes('has not answered'))
				problem(`${title} says nothing of a silence of ${age}`);
		},
		/** Starts again, because a new process has no response yet. */
		clear() {
			heardAt = undefined;
			failedAt = undefined;
			since.outage = undefined;
			since.live = undefined;
			since.green = undefined;
		},
	};
}
