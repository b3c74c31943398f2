import { paintSpans, type Span, textOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeText } from '../../drawing/time-text.ts';
import type { Change, OwnEmails } from '../../fleet/change.ts';
import { type BatchProgress, isCancelledWhole } from '../../fleet/operations/operation.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { KeyContext } from '../../keys/binding.ts';
import type { Notice } from '../../screen/notice.ts';
import type { Screen } from '../../screen/screen.ts';
import type { WaitLine } from '../phrases/waiting-text.ts';
import { logEntrySpans } from '../views/log-entry.ts';
import { entriesFrom } from '../views/log-lines.ts';
import { withWholeSleeps } from '../views/whole-sleeps.ts';
import type { ImportantNews } from './important-news.ts';
import {
	type Message,
	messageOfCountdown,
	messageOfNotice,
	messageSpans,
} from './message-spans.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  borealis: restart failed: disk quota exceeded   T does nothing here · ? help

export type FooterOptions = {
	screen: Screen;
	keyContext: KeyContext;
	/** When the list was last answered, or failed. */
	lastReadAt?: number;
	/** What has just happened, newest first, if no other part of the screen shows it. */
	news?: readonly ImportantNews[];
	/** The batch whose line is shown. */
	shownBatch?: BatchProgress | undefined;
	width: number;
	now: number;
	theme: Theme;
};

/** Draws the line above the keys: the messages, or else the most recent changes of the fleet, newest first. */
export function messageLine(
	options: FooterOptions,
	countdown: WaitLine | undefined,
	changes: readonly Change[],
	own: OwnEmails,
): string {
	const { width, now, theme } = options;
	if (hasMessage(options, countdown)) {
		return paintSpans(messageSpans(messagesOf(options, countdown), width, theme), theme);
	}
	// The changes of the fleet begin with the news.
	return latestChanges(changes, own, width, now, theme);
}

/** Writes the most recent changes of the fleet. Few keys change them, so the last line is kept. */
const latestChanges = memoize(
	(changes: readonly Change[], own: OwnEmails, width: number, now: number, theme: Theme) => {
		const parts = latestEntries(changes).map((entry): readonly Span[] => {
			const [latest] = entry.type === 'batch' ? entry.moves : [entry.change];
			return [[`${timeText(latest.at, now)} `, 'faint'], ...logEntrySpans(entry, own)];
		});
		// What happened twice within a minute reads the same, and is said once.
		const distinct = new Map(parts.map(spans => [textOf(spans), { spans }]));
		return paintSpans(messageSpans([...distinct.values()], width, theme, '     '), theme);
	},
);

const maxTickerParts = 4;

/** The line has a few entries of the log, and each sums up at most a few changes, unless it is a batch. */
const maxTickerChanges = 100;

const noIds: ReadonlySet<string> = new Set();

/** Returns the newest entries as the log has them, so that an operation is one entry and not one for each step. */
const latestEntries = memoize((changes: readonly Change[]) =>
	entriesFrom(withWholeSleeps(changes.slice(-maxTickerChanges).toReversed()), noIds).slice(
		0,
		maxTickerParts,
	),
);

const noticeDurationMs = 8_000;

/** Whether a notice is on the screen that disappears after a few seconds. */
export const isNoticeTemporary = (notice: Notice | undefined, now: number): boolean =>
	notice !== undefined && !notice.isLasting && now - notice.shownAt < noticeDurationMs;

/** A notice about a read stays for a moment even if the read ends sooner, so that a person can read it. */
const minNoticeDurationMs = 2_000;

/** Whether a countdown runs, or a message replies to the last key. */
export const hasMessage = (options: FooterOptions, countdown: WaitLine | undefined) =>
	countdown !== undefined || freshNotice(options) !== undefined;

/**
 * News comes before a message for this long, even if the message is newer, so that a person can read it. A message that
 * tells an outcome, such as what Esc has cancelled, comes before the news for as long.
 */
const minNewsDurationMs = 3_000;

/**
 * Returns the countdown that Esc cancels, the message in reply to the last key while it is fresh, and the news. What
 * happened after the key comes before the message: on a narrow screen only the first part may have room.
 */
export function messagesOf(
	options: FooterOptions,
	countdown: WaitLine | undefined,
): readonly Message[] {
	const { news = [], now } = options;
	const notice = freshNotice(options);
	const others = news.filter(({ operation }) => !operation || operation !== notice?.outcomeOf);
	const isOutcome = notice?.outcomeOf !== undefined && now - notice.shownAt < minNewsDurationMs;
	const isFirst = ({ at }: ImportantNews) =>
		!notice || (!isOutcome && (at >= notice.shownAt || now - at < minNewsDurationMs));
	return [
		...(countdown === undefined ? [] : [messageOfCountdown(countdown)]),
		...others.filter(isFirst),
		...(notice ? [messageOfNotice(notice)] : []),
		...others.filter(each => !isFirst(each)),
	];
}

/** Returns the message in reply to the last key, unless it is old or the line of a batch says the same. */
function freshNotice({ screen: { notice }, lastReadAt = 0, shownBatch, now }: FooterOptions) {
	if (!notice || isToldByBatch(notice, shownBatch)) return undefined;
	const hasReadEnded = notice.isAboutRead === true && lastReadAt > notice.shownAt;
	const durationMs = hasReadEnded ? minNoticeDurationMs : noticeDurationMs;
	return notice.isLasting || now - notice.shownAt < durationMs ? notice : undefined;
}

/** Whether the line of a batch says what the notice says: that the whole batch was cancelled. */
export const isToldByBatch = ({ outcomeOf }: Notice, batch: BatchProgress | undefined): boolean =>
	batch !== undefined && batch.id === outcomeOf && isCancelledWhole(batch);

/** Whether the batch has ended since the message was shown, so that its result is the newer one. */
export const hasEndedSinceMessage = (options: FooterOptions): boolean =>
	(options.shownBatch?.endedAt ?? 0) >= (freshNotice(options)?.shownAt ?? 0);
