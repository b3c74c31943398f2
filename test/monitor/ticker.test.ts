import { expect, test } from 'vitest';
import { createTicker } from '../../source/monitor/ticker.ts';
import { createHeldClock } from '../held-clock.ts';

function heard() {
	const clock = createHeldClock(Date.UTC(2026, 10, 21, 8, 0, 0, 400));
	const ticker = createTicker(clock);
	const at: number[] = [];
	const end = ticker.subscribe(() => at.push(ticker.now()));
	const start = Date.UTC(2026, 10, 21, 8);
	return { clock, ticker, end, times: () => at.splice(0).map(each => (each - start) / 1000) };
}

test('the ticker ticks at the full second or the full minute', () => {
	const { clock, ticker, times } = heard();
	clock.move(2000);
	expect(times()).toEqual([1, 2]);
	ticker.setStep('minute');
	clock.move(120_000);
	expect(times()).toEqual([60, 120]);
});

test('the ticker ticks at once when it changes from minutes to seconds', () => {
	const { clock, ticker, times } = heard();
	ticker.setStep('minute');
	clock.move(30_000);
	expect(times()).toEqual([]);
	ticker.setStep('second');
	expect(times()).toEqual([30.4]);
	clock.move(1000);
	expect(times()).toEqual([31]);
	ticker.setStep('second');
	expect(times()).toEqual([]);
});

test('the ticker has a timer only while it has subscribers', () => {
	const { clock, end, ticker } = heard();
	end();
	ticker.setStep('minute');
	expect(clock.waiting).toBe(0);
});
