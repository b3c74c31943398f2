import type { Clock } from '../fleet/clock.ts';

/** What a person may want to be told of while they look elsewhere. */
export type News = {
	kind: 'operationEnded' | 'computerFailed' | 'creditsLow';
	/** What it is about, so that the same is not told twice. */
	about: string;
	text: string;
};

/** From the configuration: how to tell of each. */
export type Rules = Readonly<Record<News['kind'], 'notify' | 'bell' | 'nothing'>>;

export const defaultRules: Rules = {
	operationEnded: 'bell',
	computerFailed: 'notify',
	creditsLow: 'notify',
};

export type AnnouncerOptions = {
	rules: Rules;
	clock: Clock;
	bell: () => void;
	notify: (text: string) => void;
};

export type Announcer = {
	tell(news: News): void;
	/** After a time without connection much comes in at once that is no news. */
	reconnected(): void;
};

/** What comes within this time is told as one. */
const gathering = 1500;
const gatheringAfterGap = 15_000;
/** Never more often than this. */
const interval = 20_000;
/** The same is not told again within this time. */
const memory = 10 * 60_000;

const manyOf: Readonly<Record<News['kind'], string>> = {
	operationEnded: 'operations ended',
	computerFailed: 'computers failed',
	creditsLow: 'accounts are low on credits',
};

/** Tells of events by the rules: gathered, never the same twice in a row, never in a storm. */
export function createAnnouncer({ rules, clock, bell, notify }: AnnouncerOptions): Announcer {
	const told = new Map<string, number>();
	let waiting: News[] = [];
	let isPlanned = false;
	let quietUntil = Number.NEGATIVE_INFINITY;

	function forgetOld() {
		const now = clock.now();
		for (const [key, at] of told) if (at > now || now - at >= memory) told.delete(key);
	}

	function speak() {
		const wait = quietUntil - clock.now();
		// Longer than it ever has to be only when the clock was set back.
		if (wait > 0 && wait <= interval) {
			clock.after(wait, speak);
			return;
		}
		isPlanned = false;
		const events = waiting;
		waiting = [];
		quietUntil = clock.now() + interval;
		const loud = events.filter(({ kind }) => rules[kind] === 'notify');
		if (loud.length > 0) notify(summary(loud));
		else bell();
	}

	return {
		tell(news) {
			if (rules[news.kind] === 'nothing') return;
			forgetOld();
			const key = `${news.kind} ${news.about}`;
			if (told.has(key)) return;
			told.set(key, clock.now());
			waiting.push(news);
			if (isPlanned) return;
			isPlanned = true;
			clock.after(gathering, speak);
		},
		reconnected() {
			quietUntil = Math.max(quietUntil, clock.now() + gatheringAfterGap);
		},
	};
}

function summary(events: readonly News[]): string {
	if (events.length <= 2) return events.map(({ text }) => text).join('; ');
	const kinds = [...new Set(events.map(({ kind }) => kind))];
	return kinds.map(kind => of(events.filter(event => event.kind === kind))).join('; ');
}

function of(events: readonly News[]): string {
	const [first] = events;
	if (!first) return '';
	return events.length === 1 ? first.text : `${events.length} ${manyOf[first.kind]}`;
}
