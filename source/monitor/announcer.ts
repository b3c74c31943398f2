import type { Clock } from '../foundation/clock.ts';

/** An event that a person may want to hear about while looking elsewhere. */
export type Announcement = {
	kind: 'operationEnded' | 'computerFailed' | 'creditsLow';
	/** Identifies the computer, operation or account, so that an event is not announced twice. */
	subjectKey: string;
	text: string;
};

/** How each kind of event is announced. */
export type AnnouncementRules = Readonly<
	Record<Announcement['kind'], 'notify' | 'bell' | 'nothing'>
>;

export const defaultRules: AnnouncementRules = {
	operationEnded: 'bell',
	computerFailed: 'notify',
	creditsLow: 'notify',
};

type AnnouncerOptions = {
	rules: AnnouncementRules;
	clock: Clock;
	ringBell: () => void;
	notify: (text: string) => void;
};

export type Announcer = {
	announce(announcement: Announcement): void;
	/** Delays announcements after an outage, so that the many changes that arrive then are announced together. */
	onReconnect(): void;
};

/** Events that follow one another within this time are announced together. */
const gatheringPeriodMs = 1500;
const quietAfterReconnectMs = 15_000;
/** The shortest time between two announcements. */
const minIntervalMs = 20_000;
/** The time within which the same event is announced only once. */
const repeatAfterMs = 10 * 60_000;

const pluralTextsByKind: Readonly<Record<Announcement['kind'], string>> = {
	operationEnded: 'operations ended',
	computerFailed: 'computers failed',
	creditsLow: 'accounts are low on credits',
};

/** Announces events by the rules. It groups simultaneous events, drops repeated ones and limits the rate. */
export function createAnnouncer({ rules, clock, ringBell, notify }: AnnouncerOptions): Announcer {
	const announcedAt = new Map<string, number>();
	let waitingAnnouncements: Announcement[] = [];
	let isScheduled = false;
	let quietUntil = Number.NEGATIVE_INFINITY;

	function forgetOldEvents() {
		const now = clock.now();
		for (const [key, at] of announcedAt)
			if (at > now || now - at >= repeatAfterMs) announcedAt.delete(key);
	}

	function announceWaiting() {
		const delayMs = quietUntil - clock.now();
		// A delay beyond the shortest interval means that the clock was set back, so the delay is ignored.
		if (delayMs > 0 && delayMs <= minIntervalMs) {
			clock.after(delayMs, announceWaiting);
			return;
		}
		isScheduled = false;
		const events = waitingAnnouncements;
		waitingAnnouncements = [];
		quietUntil = clock.now() + minIntervalMs;
		const notifiedEvents = events.filter(({ kind }) => rules[kind] === 'notify');
		if (notifiedEvents.length > 0) notify(summaryText(notifiedEvents));
		else ringBell();
	}

	return {
		announce(announcement) {
			if (rules[announcement.kind] === 'nothing') return;
			forgetOldEvents();
			const key = `${announcement.kind} ${announcement.subjectKey}`;
			if (announcedAt.has(key)) return;
			announcedAt.set(key, clock.now());
			waitingAnnouncements.push(announcement);
			if (isScheduled) return;
			isScheduled = true;
			clock.after(gatheringPeriodMs, announceWaiting);
		},
		onReconnect() {
			quietUntil = Math.max(quietUntil, clock.now() + quietAfterReconnectMs);
		},
	};
}

function summaryText(events: readonly Announcement[]): string {
	if (events.length <= 2) return events.map(({ text }) => text).join('; ');
	const kinds = [...new Set(events.map(({ kind }) => kind))];
	return kinds.map(kind => textOfKind(events.filter(event => event.kind === kind))).join('; ');
}

function textOfKind(events: readonly Announcement[]): string {
	const [first] = events;
	if (!first) return '';
	return events.length === 1 ? first.text : `${events.length} ${pluralTextsByKind[first.kind]}`;
}
