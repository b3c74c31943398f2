import { paintSpans, type Span } from '../../drawing/span.ts';
import type { Change, OwnEmails } from '../../fleet/change.ts';
import { latestOf, logEntries, movesOf } from '../../fleet/log-entries.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { KeyContext } from '../../keys/binding.ts';
import type { Theme } from '../../lines/theme.ts';
import { timeText } from '../../lines/time-text.ts';
import type { Notice } from '../../screen/notice.ts';
import type { Screen } from '../../screen/screen.ts';
import { entryText } from '../../views/log.ts';
import type { WaitLine } from '../phrases/waiting-text.ts';
import type { ImportantNews } from './important-news.ts';
import {
	type Message,
	messageOfCountdown,
	messageOfNotice,
	messageSpans,
} from './message-spans.ts';

//  Stopping atlas in 4 s, Esc to cancel   Copied sb_9p8p29seq06p
//  ✖ borealis: restart failed: disk quota exceeded   T does nothing here · ? help

export type FooterOptions = {
	screen: Screen;
	keyContext: KeyContext;
	/** When the list was last answered, or failed. */
	lastReadAt?: number;
	/** The failure that stays until a person takes it away. */
	failure?: Message | undefined;
	/** What has just happened, newest first, if no other part of the screen shows it. */
	news?: readonly ImportantNews[];
	width: number;
	now: number;
	theme: Theme;
};

/**
 * Draws the line above the keys: the messages, or else the progress of what is under way, or else the newest change of the
 * fleet.
 */
export function messageLine(
	options: FooterOptions,
	countdown: WaitLine | undefined,
	progress: readonly Span[] | undefined,
	changes: readonly Change[],
	own: OwnEmails,
): string {
	const { failure, width, now, theme } = options;
	const messages = messagesOf(options, countdown);
	const isFree = messages.every(message => message === failure);
	const change = failure ? undefined : latestChange(changes, own, now);
	const latest = isFree ? (progress ?? change) : undefined;
	const all = latest ? [...messages, { spans: latest }] : messages;
	return paintSpans(messageSpans(all, width, theme), theme);
}

/** Describes the newest change of the fleet for as long as it is new. */
function latestChange(
	changes: readonly Change[],
	own: OwnEmails,
	now: number,
): readonly Span[] | undefined {
	const [entry] = latestEntries(changes);
	if (!entry) return undefined;
	const { at } = latestOf(entry);
	if (now - at >= messageDurationMs) return undefined;
	// A failure that was taken away does not come back as news.
	if (movesOf(entry).some(({ to }) => to === 'failed')) return undefined;
	return [[`${timeText(at, now)} `, 'faint'], ...entryText(entry, own)];
}

/** The newest entry of the log sums up at most this many changes, unless it is a batch. */
const maxSummedChanges = 100;

/** Returns the newest entries as the log has them, so that an operation is one entry and not one for each step. */
const latestEntries = memoize((changes: readonly Change[]) =>
	logEntries(changes.slice(-maxSummedChanges)),
);

/** A message stays for this long. */
const messageDurationMs = 8_000;

/** Whether a notice is on the screen that disappears after a few seconds. */
export const isNoticeTemporary = (notice: Notice | undefined, now: number): boolean =>
	notice !== undefined && !notice.isLasting && now - notice.shownAt < messageDurationMs;

/** A notice about a read stays for a moment even if the read ends sooner, so that a person can read it. */
const minNoticeDurationMs = 2_000;

/** Whether a countdown runs, a failure stands, or there is a message. */
export const hasMessage = (options: FooterOptions, countdown: WaitLine | undefined) =>
	messagesOf(options, countdown).length > 0;

/** Returns the countdown that Esc cancels, then the failure, then the newest message. */
export function messagesOf(
	options: FooterOptions,
	countdown: WaitLine | undefined,
): readonly Message[] {
	const { failure } = options;
	const newest = newestMessage(options);
	return [
		...(countdown === undefined ? [] : [messageOfCountdown(countdown)]),
		...(failure ? [failure] : []),
		...(newest ? [newest] : []),
	];
}

function newestMessage(options: FooterOptions): Message | undefined {
	const notice = freshNotice(options);
	const news = options.news?.find(
		({ operation }) => operation === undefined || operation !== notice?.outcomeOf,
	);
	if (!notice || (news && news.at > notice.shownAt)) return news;
	return messageOfNotice(notice);
}

/** Returns the message in reply to the last key, unless it is old. */
function freshNotice({ screen: { notice }, lastReadAt = 0, now }: FooterOptions) {
	if (!notice) return undefined;
	const hasReadEnded = notice.isAboutRead === true && lastReadAt > notice.shownAt;
	const durationMs = hasReadEnded ? minNoticeDurationMs : messageDurationMs;
	return notice.isLasting || now - notice.shownAt < durationMs ? notice : undefined;
}
