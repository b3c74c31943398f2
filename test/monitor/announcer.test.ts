import { beforeEach, expect, test } from 'vitest';
import { defaultNotices } from '../../source/accounts/settings.ts';
import { type Announcer, createAnnouncer } from '../../source/monitor/announcements.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';

let clock: HeldClock;
let heard: string[];
let announcer: Announcer;

const open = (rules: Parameters<typeof createAnnouncer>[1]) =>
	createAnnouncer(
		{ ringBell: () => heard.push('bell'), notify: text => heard.push(text) },
		rules,
		clock,
	);

beforeEach(() => {
	clock = createHeldClock();
	heard = [];
	announcer = open(defaultNotices);
});

const failed = (name: string) =>
	({ kind: 'computerFailed', subjectKey: name, text: `${name} failed` }) as const;
const ended = (name: string) =>
	({ kind: 'operationEnded', subjectKey: name, text: `${name} stopped` }) as const;

test('each kind of event is announced as its notify setting says', () => {
	announcer.announce(ended('atlas'));
	clock.move(60_000);
	announcer.announce(failed('draco'));
	clock.move(60_000);
	expect(heard).toEqual(['bell', 'draco failed']);
});

test('an event whose notify setting is off is not announced', () => {
	open({ ...defaultNotices, computerFailed: 'off' }).announce(failed('draco'));
	clock.move(60_000);
	expect(heard).toEqual([]);
});

test('simultaneous events are announced together', () => {
	for (let number = 0; number < 40; number++) announcer.announce(failed(`draco-${number}`));
	announcer.announce({ kind: 'creditsLow', subjectKey: 'owner', text: 'credits for 2 h left' });
	clock.move(60_000);
	expect(heard).toEqual(['40 computers failed; credits for 2 h left']);
});

test('a clock that was set back does not silence announcements', () => {
	announcer.announce(failed('draco'));
	clock.move(2000);
	clock.jump(-10 * 3_600_000);
	announcer.announce(failed('cygnus'));
	clock.move(2000);
	clock.move(10 * 60_000);
	announcer.announce(failed('draco'));
	clock.move(60_000);
	expect(heard).toEqual(['draco failed', 'cygnus failed', 'draco failed']);
});

test('the same event is announced once', () => {
	for (let minute = 0; minute < 8; minute++) {
		announcer.announce(failed('draco'));
		clock.move(60_000);
	}
	expect(heard).toEqual(['draco failed']);
	clock.move(10 * 60_000);
	announcer.announce(failed('draco'));
	clock.move(60_000);
	expect(heard.length).toBe(2);
});

test('many events in a row are announced at intervals, not one by one', () => {
	for (let second = 0; second < 60; second++) {
		announcer.announce(failed(`draco-${second}`));
		clock.move(1000);
	}
	clock.move(60_000);
	expect(heard.length).toBeLessThanOrEqual(5);
	expect(heard.length).toBeGreaterThanOrEqual(3);
});

test('events after a reconnect are collected and announced together', () => {
	announcer.onReconnect();
	for (let second = 0; second < 12; second++) {
		announcer.announce(failed(`draco-${second}`));
		clock.move(1000);
	}
	expect(heard).toEqual([]);
	clock.move(10_000);
	expect(heard).toEqual(['12 computers failed']);
});
