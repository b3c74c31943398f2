import type { Theme } from '../../drawing/theme.ts';
import { countText } from '../../foundation/number-text.ts';
import type { FleetCounts } from '../../store/selectors.ts';
import type { JointAccount } from '../../store/state.ts';
import { liveWidthWithSource } from '../phrases/freshness-text.ts';
import { areGaugesNeeded, gaugesWidths } from './gauges-text.ts';

type SlotOptions = {
	account: JointAccount;
	counts: FleetCounts;
	width: number;
	now: number;
	theme: Theme;
};

/** The cells of the parts of the line. Each part begins at the end of the part to its left. */
export type Slots = { counts: number; connection: number; gauges: number };

/** The cells of the words of all counts, with their signs and blanks. Each number takes more cells. */
const wordsWithoutNumbers = 54;
const countedKinds = 5;

/** The cells that all counts take with their words if the numbers are as long as 10,000. */
const largeFleetWords = 85;

/** Returns the cells that all counts of a fleet of this size take with their words. */
const wordsWidth = (computerCount: number) =>
	wordsWithoutNumbers + countedKinds * digitsIn(computerCount);

/** Says how many versions are known, while not all are. */
export const knownText = (known: number) => ` of ${countText(known)} known`;

/** The cells that each number has: enough for the size of the whole fleet. */
export const digitsIn = (computerCount: number) => Math.max(2, countText(computerCount).length);

/**
 * Returns the slots of a line. The slots depend only on the width of the line and on how many digits the size of the
 * fleet has, so that no part moves or disappears when another part changes. In a wider line, no slot is narrower. The
 * gauges leave before the words of the counts do. Without words, numbers as long as 10,000 fit from 60 columns.
 */
export function countsLineSlots(width: number, computerCount = 0, moreWords = 0): Slots {
	const neededForWords = wordsWidth(computerCount) + moreWords;
	const gauges =
		gaugesWidths.find(cells => width >= neededForWords + usualConnectionWidth + cells) ?? 0;
	const room = width - gauges;
	const words = room >= neededForWords + minConnectionWidth ? neededForWords : 0;
	const narrow = Math.max(12, Math.min(minConnectionWidth, room - 42));
	if (words === 0) return { counts: room - narrow, connection: narrow, gauges };
	const connection = Math.min(
		room >= neededForWords + 21 && gauges === gaugesWidths[0] ? 21 : usualConnectionWidth,
		room - words,
	);
	const most = largeFleetWords + moreWords;
	const counts = Math.min(most, room - connection);
	if (gauges !== gaugesWidths[0] || counts < most)
		return { counts: room - connection, connection, gauges };
	const wide = Math.min(maxConnectionWidth, room - counts);
	return { counts: room - wide, connection: wide, gauges };
}

/**
 * Returns the slots of a line. The gauges of a pane that follows another one make room for the name of that pane, unless
 * they explain why nothing is read.
 */
export function slotsFor({ account, counts, width, now, theme }: SlotOptions): Slots {
	const moreWords = counts.versions ? knownText(counts.versions.known).length : 0;
	const withAllWords = countsLineSlots(width, counts.total, moreWords);
	const hasRoom = withAllWords.counts >= wordsWidth(counts.total) + moreWords;
	const slots = hasRoom ? withAllWords : countsLineSlots(width, counts.total);
	const needed = (liveWidthWithSource(account, theme) ?? 0) + partGap;
	if (needed <= slots.connection || areGaugesNeeded(account, now)) return slots;
	const both = slots.connection + slots.gauges;
	const gauges = [...gaugesWidths, 0].find(cells => both - cells >= needed);
	return gauges === undefined ? slots : { ...slots, connection: both - gauges, gauges };
}

/** Whether the line has room for the name of the pane that polls for this one. */
export function hasRoomForSource(options: SlotOptions): boolean {
	const needed = liveWidthWithSource(options.account, options.theme) ?? 0;
	return needed + partGap <= slotsFor(options).connection;
}

const minConnectionWidth = 16;
const usualConnectionWidth = 19;
const maxConnectionWidth = 38;

/** At least this many blanks stand between two parts of the line. */
export const partGap = 2;
