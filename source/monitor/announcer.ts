import type { Clock } from '../fleet/clock.ts';

/** An event that a person may want to hear about while looking elsewhere. */
export type Announcement = {
	kind: 'operationEnded' | 'computerFailed' | 'creditsLow';
	/** Identifies the subject, so that an event is not announced twice. */
	about: string;
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

export type AnnouncerOptions = {
	rules: AnnouncementRules;
	clock: Clock;
	bell: () => void;
	notify: (text: string) => void;
};

export type Announcer = {
	announce(news: Announcement): void;
	/** After an outage, many old changes arrive at once; they are announced together. */
	reconnected(): void;
};

/** Events within this time are announced together. */
const gatherTime = 1500;
const quietAfterReconnect = 15_000;
/** The shortest time between two announcements. */
const minInterval = 20_000;
/** The same event is not repeated within this time. */
const repeatAfter = 10 * 60_000;

const pluralTexts: Readonly<Record<Announcement['kind'], string>> = {
	operationEnded: 'operations ended',
	computerFailed: 'computers failed',
	creditsLow: 'accounts are low on credits',
};

/** Announces events by the rules: gathered, without repetition, and never in a storm. */
export function createAnnouncer({ rules, clock, bell, notify }: AnnouncerOptions): Announcer {
	const announcedAt = new Map<string, number>();
	let waiting: Announcement[] = [];
	let isPlanned = false;
	let quietUntil = Number.NEGATIVE_INFINITY;

	function forgetOld() {
		const now = clock.now();
		for (const [key, at] of announcedAt)
			if (at > now || now - at >= repeatAfter) announcedAt.delete(key);
	}

	function announceWaiting() {
		const wait = quietUntil - clock.now();
		// A longer wait only means that the clock was set back.
		if (wait > 0 && wait <= minInterval) {
			clock.after(wait, announceWaiting);
			return;
		}
		isPlanned = false;
		const events = waiting;
		waiting = [];
		quietUntil = clock.now() + minInterval;
		const loud = events.filter(({ kind }) => rules[kind] === 'notify');
		if (loud.length > 0) notify(summary(loud));
		else bell();
	}

	return {
		announce(news) {
			if (rules[news.kind] === 'nothing') return;
			forgetOld();
			const key = `${news.kind} ${news.about}`;
			if (announcedAt.has(key)) return;
			announcedAt.set(key, clock.now());
			waiting.push(news);
			if (isPlanned) return;
			isPlanned = true;
			clock.after(gatherTime, announceWaiting);
		},
		reconnected() {
			quietUntil = Math.max(quietUntil, clock.now() + quietAfterReconnect);
		},
	};
}

function summary(events: readonly Announcement[]): string {
	if (events.length <= 2) return events.map(({ text }) => text).join('; ');
	const kinds = [...new Set(events.map(({ kind }) => kind))];
	return kinds.map(kind => textOfKind(events.filter(event => event.kind === kind))).join('; ');
}

function textOfKind(events: readonly Announcement[]): string {
	const [first] = events;
	if (!first) return '';
	return events.length === 1 ? first.text : `${events.length} ${pluralTexts[first.kind]}`;
}
