import { dialogIn, namedIn } from './frame.ts';
import type { Report } from './report.ts';

type Options = {
	report: Report;
	/** The time as the program sees it: it may jump. */
	wall: () => number;
	/** The time as it passes. */
	elapsed: () => number;
};

const second = 1_000;
const minute = 60 * second;

/** Nothing is meant to be read less often than this. */
const longestInterval = minute;
/** A frame is as old as the last tick, and on a slow line that is one a minute. */
const tick = minute + 2 * second;
/** A silence this long is an outage, even if only one kind of read fails. */
const outage = 15 * second;
/** A smaller terminal may have no room for everything that a question says. */
const roomyRows = 18;

/**
 * Knows when the platform answered last, and what a frame must not say long after that: that the
 * connection is live, that a computer runs now, or a question without a word about the silence.
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

	/** Whether that has been so for long enough to be on screen. */
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
		/** The program has ended, and the next one has heard nothing. */
		clear() {
			heardAt = undefined;
			failedAt = undefined;
			since.outage = undefined;
			since.live = undefined;
			since.green = undefined;
		},
	};
}
