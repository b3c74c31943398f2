import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import { cleanText } from '../../source/platform/clean.ts';
import { createAnonymizer } from '../../source/recording/anonymizer.ts';
import { factFrom, type LastLists, recordedFactFrom } from '../../source/recording/list-delta.ts';
import { recordingFrom } from '../../source/recording/recording-file.ts';
import { entryFrom } from '../../source/recording/recording-line.ts';
import { createTimeline } from '../../source/recording/timeline.ts';
import { reading } from '../arbitraries/readings.ts';
import { everyFact, start } from '../arbitraries/sample-facts.ts';
import { recorded, recordingOf } from '../recording/recorded.ts';
import { runs } from './runs.ts';

const lists = fc.array(
	fc.record({
		account: fc.constantFrom('one', 'other'),
		computers: fc.uniqueArray(reading, { selector: ({ id }) => id, maxLength: 4 }),
	}),
	{ maxLength: 12 },
);

test('a list comes back whole from what was new in it', () => {
	fc.assert(
		fc.property(lists, all => {
			const facts = all.map((each, turn): Fact => ({ ...each, at: turn, type: 'listRead' }));
			let [packed, unpacked]: LastLists[] = [new Map(), new Map()];
			for (const fact of facts) {
				const out = recordedFactFrom(packed ?? new Map(), fact);
				const back = factFrom(unpacked ?? new Map(), JSON.parse(JSON.stringify(out.note)));
				[packed, unpacked] = [out.lists, back.lists];
				expect(back.fact).toEqual(JSON.parse(JSON.stringify(fact)));
			}
		}),
		runs(60),
	);
});

test('whatever stands in a file, it is read or refused, and never breaks the fold', async () => {
	const { text } = await recorded(everyFact);
	const lines = text.trimEnd().split('\n');
	const values = fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 1e308, '\u001b[2J', [], {}, null));
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.nat(lines.length - 1), fc.nat(200), values), { maxLength: 4 }),
			changes => {
				const hostile = [...lines];
				for (const [line, place, value] of changes) {
					const parsed: unknown = JSON.parse(hostile[line] ?? 'null');
					hostile[line] = JSON.stringify(withAnother(parsed, place, value));
				}
				const tape = recordingFrom(hostile.join('\n'), cleanText);
				if (typeof tape === 'string') return;
				const reel = createTimeline(tape);
				const { accounts } = reel.after(reel.length);
				expect(JSON.stringify([...accounts], stringsOnly)).not.toMatch(/\\u001b/);
			},
		),
		runs(100),
	);
});

/** The same value with another one somewhere in it. */
function withAnother(value: unknown, place: number, other: unknown): unknown {
	if (typeof value !== 'object' || value === null) return other;
	const entries = Object.entries(value);
	const chosen = entries[place % Math.max(1, entries.length)];
	if (!chosen) return other;
	const [key, part] = chosen;
	const next = place % 3 === 0 ? other : withAnother(part, Math.floor(place / 2), other);
	return Array.isArray(value)
		? value.map((each, at) => (String(at) === key ? next : each))
		: { ...value, [key]: next };
}

const stringsOnly = (_: string, value: unknown) =>
	value instanceof Map || value instanceof Set ? [...value] : value;

test('any line at all is read or refused', () => {
	fc.assert(
		fc.property(fc.json(), line => void entryFrom(line, cleanText)),
		runs(100),
	);
	fc.assert(
		fc.property(fc.string(), line => void entryFrom(line, cleanText)),
		runs(100),
	);
});

test('an address, an e-mail and a name are found in whatever stands around them', () => {
	const around = fc.constantFrom('', ' ', ', ', ': ', '(', ') ', '"', '. ', ' [');
	fc.assert(
		fc.property(fc.array(around, { minLength: 5, maxLength: 5 }), ([a, b, c, d, e]) => {
			const veil = createAnonymizer({ areNamesReplaced: true });
			veil.name('my box+1');
			const said = veil.text(`${a}my box+1${b} me@acme.test${c} 10.1.2.3${d} db.acme.test ${e}`);
			expect(said).not.toMatch(/my box|acme|10\.1/);
			expect(said).toContain('computer-1');
		}),
		runs(100),
	);
});

test('the times of a recording only ever go on', async () => {
	const shuffled = [...everyFact].reverse();
	const { text } = await recorded(shuffled);
	const { times } = recordingOf(text);
	expect(times).toEqual([...times].sort((one, other) => one - other));
	expect(times[0]).toBeGreaterThanOrEqual(start);
});
