import { expect, test } from 'vitest';
import { defaultNotices } from '../../source/accounts/settings.ts';
import { createAnnouncer } from '../../source/monitor/announcements.ts';
import { createHeldClock } from '../held-clock.ts';

const second = 1_000;
const minute = 60 * second;

function open(rules = defaultNotices) {
	const clock = createHeldClock();
	const heard: string[] = [];
	const face = { ringBell: () => heard.push('bell'), notify: (text: string) => heard.push(text) };
	const announcer = createAnnouncer(face, rules, clock);
	/** A computer fails, and time passes. */
	function fail(name: string, passing = minute) {
		announcer.announce({ kind: 'computerFailed', subjectKey: name, text: `${name} failed` });
		clock.move(passing);
	}
	return { clock, heard, fail, ...announcer };
}

test('each kind of event is announced as its notify setting says', () => {
	const { announce, fail, clock, heard } = open();
	announce({ kind: 'operationEnded', subjectKey: 'atlas', text: 'atlas stopped' });
	clock.move(minute);
	fail('draco');
	expect(heard).toEqual(['bell', 'draco failed']);
	const silent = open({ ...defaultNotices, computerFailed: 'off' });
	silent.fail('draco');
	expect(silent.heard).toEqual([]);
});

test('simultaneous events are announced together, and so are those after a reconnect', () => {
	const { announce, fail, heard, onReconnect } = open();
	for (let number = 0; number < 40; number++) fail(`draco-${number}`, 0);
	announce({ kind: 'creditsLow', subjectKey: 'owner', text: 'credits for 2 h left' });
	fail('draco-0');
	expect(heard.splice(0)).toEqual(['draco-0 failed, draco-1 failed, draco-2 failed and 38 more']);
	onReconnect();
	for (let number = 0; number < 12; number++) fail(`cygnus-${number}`, second);
	expect(heard).toEqual([]);
	fail('cygnus-0', 10 * second);
	expect(heard).toEqual(['cygnus-0 failed, cygnus-1 failed, cygnus-2 failed and 9 more']);
});

test('many events in a row are announced at intervals, not one by one', () => {
	const { fail, heard } = open();
	for (let number = 0; number < 60; number++) fail(`draco-${number}`, second);
	fail('draco-0');
	expect(heard.length).toBeLessThanOrEqual(5);
	expect(heard.length).toBeGreaterThanOrEqual(3);
});

test('the same event is announced once in ten minutes', () => {
	const { clock, fail, heard } = open();
	for (let minutes = 0; minutes < 8; minutes++) fail('draco');
	expect(heard).toEqual(['draco failed']);
	clock.move(10 * minute);
	fail('draco');
	expect(heard).toHaveLength(2);
});

test('a clock that was set back does not silence announcements', () => {
	const { clock, fail, heard } = open();
	fail('draco', 2 * second);
	clock.jump(-10 * 60 * minute);
	fail('cygnus', 2 * second);
	clock.move(10 * minute);
	fail('draco');
	expect(heard).toEqual(['draco failed', 'cygnus failed', 'draco failed']);
});
