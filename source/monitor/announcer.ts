import type { Clock } from '../fleet/clock.ts';

/** What a person may want to be told of while they look elsewhere. */
export type Announcement = {
	kind: 'operationEnded' | 'computerFailed' | 'creditsLow';
	/** What it is about, so that the same is not told twice. */
	about: string;
	text: string;
};

/** From the configuration: how to tell of each. */
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
	/** After a time without connection much comes in at once that is no news. */
	reconnected(): void;
};

/** What comes within this time is told as one. */
const gatherTime = 1500;
const quietAfterReconnect = 15_000;
/** Never more often than this. */
const minInterval = 20_000;
/** The same is not told again within this time. */
const repeatAfter = 10 * 60_000;

const pluralTexts: Readonly<Record<Announcement['kind'], string>> = {
	operationEnded: 'operations ended',
	computerFailed: 'computers failed',
	creditsLow: 'accounts are low on credits',
};

/** Tells of events by the rules: gathered, never the same twice in a row, never in a storm. */
export function createAnnouncer({ rules, clock, bell, notify }: AnnouncerOptions): Announcer {
	const told = new Map<string, number>();
	let waiting: Announcement[] = [];
	let isPlanned = false;
	let quietUntil = Number.NEGATIVE_INFINITY;

	function forgetOld() {
		const now = clock.now();
		for (const [key, at] of told) if (at > now || now - at >= repeatAfter) told.delete(key);
	}

	function announceWaiting() {
		const wait = quietUntil - clock.now();
		// Longer than it ever has to be only when the clock was set back.
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
			if (told.has(key)) return;
			told.set(key, clock.now());
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
