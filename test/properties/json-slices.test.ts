import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonReader } from '../../source/platform/decoding/json-reader.ts';
import { redactedJson } from '../../source/platform/decoding/redact-json.ts';
import { anyGrapheme } from '../arbitraries/characters.ts';
import { runs } from './runs.ts';

const redact = (text: string) => text.replaceAll('secret', '…');

const encode = (text: string) => new TextEncoder().encode(text);

/** The JSON as one call of `JSON.parse` returns it. Its fields are compared in their order, too. */
function parsedWhole(written: string): string | undefined {
	// Decoding removes a byte order mark, and replaces halves of characters.
	const text = new TextDecoder().decode(encode(written));
	try {
		return JSON.stringify(redactedJson(JSON.parse(text), text, redact));
	} catch {
		return undefined;
	}
}

type Cut = { sliceBytes: number; chunks: readonly number[] };

function parsedInSlices(text: string, { sliceBytes, chunks }: Cut): string | undefined {
	const reader = createJsonReader({ redact, sliceBytes });
	const bytes = encode(text);
	let at = 0;
	for (let index = 0; at < bytes.length; index += 1) {
		const end = at + (chunks[index % chunks.length] ?? 1);
		reader.add(bytes.subarray(at, end));
		at = end;
	}
	return JSON.stringify(reader.end().json);
}

const cut: fc.Arbitrary<Cut> = fc.record({
	sliceBytes: fc.integer({ min: 1, max: 60 }),
	chunks: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
});

const text = fc.oneof(
	fc.string(),
	fc.string({ unit: anyGrapheme }),
	fc.constantFrom('secret', 'a,b', '[]', '"]', '}{', '\\', '\\"', '\n', '[[[[0]]]]', '\uFEFF'),
);

const names = ['items', 'data', 'sandboxes', 'next_cursor', 'id', 'secret', '__proto__', '[,'];

const json = fc.letrec(tie => ({
	value: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		text,
		fc.integer(),
		fc.double({ noDefaultInfinity: true, noNaN: true }),
		fc.constantFrom(null, true, false),
		fc.array(tie('value'), { maxLength: 6 }),
		fc.dictionary(fc.oneof(fc.constantFrom(...names), text), tie('value'), { maxKeys: 5 }),
	),
})).value;

/** Records that begin with the same field, as those of a platform do. Such records are found without measuring. */
const similarRecords = fc
	.tuple(fc.constantFrom('id', 'sandbox_id', ',{"id":'), fc.array(json, { maxLength: 20 }))
	.map(([name, values]) => values.map(value => ({ [name]: value })));

const records = fc.oneof(fc.array(json, { maxLength: 20 }), similarRecords);

const body = fc.oneof(
	json,
	records,
	fc.record({ items: records, next_cursor: text }),
	fc.record({ success: fc.boolean(), data: fc.record({ sandboxes: records, items: records }) }),
	fc.record({ data: fc.record({ items: fc.record({ items: records }) }) }),
);

const bodyText = fc
	.tuple(body, fc.constantFrom('', ' ', '\n\t'), fc.constantFrom('', '\uFEFF', '  '))
	.map(([value, indent, start]) => start + JSON.stringify(value, null, indent));

test('JSON that is parsed in slices is the JSON that is parsed as a whole, wherever it is cut', () => {
	fc.assert(
		fc.property(bodyText, cut, (written, where) => {
			expect(parsedInSlices(written, where)).toBe(parsedWhole(written));
		}),
		runs(500),
	);
});

/** Text with a mistake: a part that is missing, repeated or replaced by a few characters. */
const brokenText = fc
	.tuple(bodyText, fc.nat(), fc.nat({ max: 8 }), fc.stringMatching(/^[[\]{},:" 0a]{0,4}$/))
	.map(([written, place, removed, added]) => {
		const at = place % (written.length + 1);
		return written.slice(0, at) + added + written.slice(at + removed);
	});

test('text that is not JSON as a whole is not JSON in slices', () => {
	fc.assert(
		fc.property(brokenText, cut, (written, where) => {
			expect(parsedInSlices(written, where)).toBe(parsedWhole(written));
		}),
		runs(1_000),
	);
});

test.each([
	'[1,2,,3]',
	'[1,2,]',
	'[,1,2]',
	'[1,2, ]',
	'[1,2}',
	'[1,2',
	'[1,2]]',
	'[1],[2]',
	'{"items":[1,2],"items":[3,4]}',
	'{"items":[1,2],"items":5}',
	'{"a":[1,2],"b":[3,4],"c":{"d":[5,6]}}',
	'{"__proto__":[1,2]}',
	'{"data":{"__proto__":[1,2],"items":[]}}',
	`[${'['.repeat(63)}0${']'.repeat(63)},1,2]`,
	'{"items":[1,2]',
	'{"items":[1,2],',
	'{"items":["a,b","[c]","\\"],"],"next":"]"}',
	'[{"a":1},{"b":2}] trailing',
	'[{"a":1},{"a":2},{"a":3}]',
	'[{"a":1} , {"a":2} , {"a":3} ]',
	'[{"a":1},{"a":[{"a":2},{"a":3}]},{"a":4}]',
	'{"n":[{"a":[{"a":1},{"a":2}]}],"m":[{"a":1},{"a":2}]}',
	'[{"a":1}],[{"a":2},{"a":3}]',
	'[{"a":1},,{"a":2},{"a":3}]',
	'[{"a":1},{"a":2},{"a":3',
	'[{"a":",{"},{"a":"{\\"a\\":"},{"a":3}]',
	'[{"a":1},{"a":"secret"},{"a":3}]',
	'<html>[1,2,3]</html>',
	'',
])('the text “%s” is parsed to the same result in slices of any size', written => {
	for (let sliceBytes = 1; sliceBytes < 8; sliceBytes += 1) {
		for (let chunk = 1; chunk <= written.length; chunk += 1) {
			expect(parsedInSlices(written, { sliceBytes, chunks: [chunk] })).toBe(parsedWhole(written));
		}
	}
});
