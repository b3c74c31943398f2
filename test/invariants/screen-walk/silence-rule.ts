import { dialogIn, operationIn } from './frame.ts';
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

/** Every read is repeated at least once in this time. */
const maxReadIntervalMs = minute;
/** The screen shows the time of the last tick, which is up to this long ago on a slow line. */
const tickMs = minute + 2 * second;
/** The program must show an outage after a silence of this length, even if only one kind of read fails. */
const outageMs = 15 * second;
/** In a terminal with fewer rows, the text of a question may be cut off. */
const minRows = 18;

/**
 * Reports frames that are wrong long after the last response of the platform: a live connection, a computer
 * that is shown as running now, or a question that does not mention the outage.
 */
export function createSilenceRule({ report, wall, elapsed }: Options) {
	const { counts, problem } = report;
	let lastAnswerAt: number | undefined;
	let failedAt: number | undefined;
	const since: {
		outage?: number | undefined;
		live?: number | undefined;
		green?: number | undefined;
	} = {};

	/** Whether the condition has held for so long that the screen must show it. */
	function mustBeShown(name: keyof typeof since, condition: boolean): boolean {
		if (!condition) since[name] = undefined;
		else since[name] ??= elapsed();
		return condition && elapsed() - (since[name] ?? elapsed()) > tickMs;
	}

	function isOut(): boolean {
		if (lastAnswerAt === undefined || failedAt === undefined) return false;
		return wall() > Math.max(lastAnswerAt + outageMs, failedAt);
	}

	return {
		readEnded(isGood: boolean) {
			if (isGood) {
				lastAnswerAt = wall();
				failedAt = undefined;
			} else {
				failedAt ??= wall();
			}
		},
		saw(frame: string, isGreen: () => boolean) {
			const age = lastAnswerAt === undefined ? 0 : wall() - lastAnswerAt;
			const isOutage = mustBeShown('outage', isOut());
			const mayNotBeLive = mustBeShown('live', isOut() || age > 2 * maxReadIntervalMs);
			const mayNotBeGreen = mustBeShown('green', isOut() || age > 4 * maxReadIntervalMs);
			if (mayNotBeGreen) counts.silences += 1;
			if (mayNotBeLive && frame.includes('live, ')) problem(`live after a silence of ${age}`);
			if (mayNotBeGreen && isGreen()) problem(`green after a silence of ${age}`);
			const { title = '', text = '' } = dialogIn(frame) ?? {};
			const isAboutComputer = !['pay', 'billing', undefined].includes(
				operationIn(title)?.operation,
			);
			if (!isOutage || !isAboutComputer || frame.split('\n').length < minRows) return;
			counts.silentQuestions += 1;
			if (!text.includes('has not answered'))
				problem(`${title} does not mention a silence of ${age}`);
		},
	};
}
