import fc from 'fast-check';
import { cleanText } from '../../source/platform/decoding/clean.ts';
import { anyGrapheme } from './characters.ts';

export const hour = 3_600_000;

/** The base of all arbitrary times. It is a local time, because views show local times. */
export const now = new Date(2026, 10, 21, 8).getTime();

/** The ids and keys in arbitrary facts. They are few, so that facts often share one, and some are names of inherited properties. */
export const id = fc.constantFrom('sb_1', 'sb_2', 'sb_3', '__proto__', 'constructor', '');
export const key = fc.constantFrom('k1', 'k2', 'k3', '__proto__');

/** Generates texts as the decoder returns them: empty, long, or with wide, joined and combining characters. */
export const text = fc
	.oneof(
		fc.string({ unit: anyGrapheme, maxLength: 60 }),
		fc.constantFrom(
			'東京の非常に長い名前'.repeat(4),
			'👩‍👩‍👧‍👦🚀'.repeat(9),
			'cafe\u0301 '.repeat(20),
			'x'.repeat(300),
			'words and words '.repeat(20),
		),
		fc.constantFrom('atlas', 'borealis', 'x', '', '__proto__'),
	)
	// Tests recognise a line that Ink has cut by its ellipsis, so no text contains one.
	.map(each => cleanText(each).replaceAll('…', ''));

export const status = fc.constantFrom(
	...['provisioning', 'active', 'running', 'stopped', 'sleeping', 'error', 'stopping'],
	...['archived', 'odd', 'hasOwnProperty', ''],
);

export const version = fc.oneof(fc.constantFrom('1.3.9', '1.4.1', '1.4.2', 'x', ''), text);

export const portNumber = fc.integer({ min: 1, max: 65_535 });
/** The latest time that a fact may have. The clock of a platform may be ahead of the clock of this machine. */
export const latestTime = now + hour;
export const time = fc.integer({ min: now - 100 * 24 * hour, max: latestTime });
export const amount = fc.double({ min: 0, max: 1e7, noNaN: true });

export const url = fc
	.integer({ min: 1, max: 1200 })
	.map(length => `https://pay.example.com/${'aB3'.repeat(length).slice(0, length)}`);

/** Generates a value or undefined. */
export const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
