import { describe, expect, test } from 'vitest';
import { allPortsOf, omittedPortCount } from '../../../source/fleet/computers/computer.ts';
import { readBody, responseLimits } from '../../../source/platform/decoding/body.ts';
import { computersPageFrom } from '../../../source/platform/decoding/decode-computer.ts';
import { createJsonMeasure } from '../../../source/platform/decoding/json-measure.ts';
import { PlatformError } from '../../../source/platform/decoding/platform-error.ts';
import { createUtf8Decoder, withoutByteOrderMark } from '../../../source/platform/decoding/utf8.ts';
import { serveResponses } from '../loopback.ts';
import { failureOf, platformAt, readOptions } from '../platform-at.ts';
import { computerListFrom } from './computer-list.ts';

// A response is bounded in bytes, values, fields and depth. All of them are counted before it is parsed, except in the
// first records of a list, which are few enough.

const encode = (text: string) => new TextEncoder().encode(text);

/** Creates an endless body, and records how much of it was read. */
function endless(piece: string) {
	const chunk = encode(piece.repeat(Math.ceil(65_536 / piece.length)));
	const taken = { bytes: 0, isCancelled: false };
	const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
		pull(controller) {
			taken.bytes += chunk.length;
			controller.enqueue(chunk);
		},
		cancel() {
			taken.isCancelled = true;
		},
	});
	return { body, taken };
}

test.each([
	['text', 'x', 14 * 1_048_576, 'at most 14 MB'],
	['numbers', '0,', 400_000 * 2, 'at most'],
	['empty records', '{},', 400_000 * 3, 'at most'],
	['lists in lists', '[', 64, 'at most 64 levels'],
	['records in records', '{"a":', 64 * 5, 'at most 64 levels'],
])(
	'the client stops reading an endless body of %s at the size limit',
	async (_, piece, allowed, said) => {
		const { body, taken } = endless(piece);
		const error = await readBody(body).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(PlatformError);
		expect(error).toMatchObject({ failure: { kind: 'unreadable', isOutcomeUnknown: true } });
		expect(String(error)).toContain(said);
		expect(taken.isCancelled).toBe(true);
		// The stream may have queued a few more chunks than were read.
		expect(taken.bytes).toBeLessThan(allowed + 3 * 65_536 + 10);
	},
);

const repeated = (beginning: string, piece: string, bytes: number) =>
	new Response(beginning + piece.repeat(Math.ceil(bytes / piece.length))).body;

test('the client counts the values of a long list of similar records after its first 800 kB', async () => {
	let parsed = 0;
	const redact = (text: string) => {
		parsed += text.length;
		return text;
	};
	const body = repeated('[', '{"a":0},', 14_000_000);
	const error = await readBody(body, { redact }).catch((reason: unknown) => reason);
	expect(String(error)).toContain('at most 400000 values');
	// Each of these records has one field and is one value, so the counted part has four bytes for each value.
	expect(parsed).toBeLessThan(800_000 + 4 * 400_000 + 3 * 32_768);
});

test.each(['', '\\n', 'secret'])(
	'the client refuses similar records that are nested too deep to search them for a secret (%j)',
	async text => {
		const deep = `{"a":"${text}","b":${'['.repeat(5_000)}"\\n secret"${']'.repeat(5_000)}},`;
		const redact = (each: string) => each.replaceAll('secret', '…');
		const body = repeated('[', deep, 100_000);
		const error = await readBody(body, { redact }).catch((reason: unknown) => reason);
		expect(String(error)).toContain('at most 64 levels');
	},
);

const within = { maxValues: 10, maxFields: 3, maxNames: 5, maxNameLength: 4, maxDepth: 2 };

test.each<[string, string, string | undefined]>([
	['as many values as allowed', '[1,2,3,4,5,6,7,8,9]', undefined],
	['one value too many', '[1,2,3,4,5,6,7,8,9,0]', 'at most 10 values'],
	['as many fields as allowed', '{"a":1,"b":2,"c":3}', undefined],
	['one field too many', '{"a":1,"b":2,"c":3,"d":4}', 'at most 3 fields in a record'],
	['as many names as allowed', '[{"a":1,"b":1},{"c":1,"d":1},{"e":1}]', undefined],
	['one name too many', '[{"a":1,"b":1},{"c":1,"d":1},{"e":1,"f":1}]', 'at most 5 names of fields'],
	['a name of the maximum length', '{"abcd":1}', undefined],
	['a name that is too long', '{"abcde":1}', 'at most 4 bytes in a name'],
	['a text that is longer than any name', '{"a":"abcdefgh"}', undefined],
	['an escaped quote far into a text', `["${'x'.repeat(300)}\\",${'['.repeat(9)}"]`, undefined],
	['a backslash at the far end of a text', `["${'x'.repeat(300)}\\\\",[[1]]]`, 'at most 2 levels'],
	['strings that are not field names', '["a","b","c","d","e","f","g"]', undefined],
	['one record after another', '[{"a":1,"b":2},{"a":1,"b":2}]', undefined],
	['as many levels as allowed', '[[1]]', undefined],
	['one level too many', '[[[1]]]', 'at most 2 levels'],
	['brackets and commas in a text', '["[[[[,,,,,,,,,,,,{{{{"]', undefined],
	['an escaped quote in a text', '["\\"[[[[,,,,,,,,,,,,"]', undefined],
	['an escaped backslash at the end of a text', '["\\\\",[[1]]]', 'at most 2 levels'],
	['a byte order mark', '\uFEFF[[[1]]]', 'at most 2 levels'],
	['a web page', '<script>[[[[[[ ,,,,,,,,,,,,,,</script>', undefined],
])(
	'JSON with “%s” is measured to the same result byte by byte and in one piece',
	(_, text, excess) => {
		expect(createJsonMeasure(within).add(encode(text))).toBe(excess);
		const measure = createJsonMeasure(within);
		const said = [...encode(text)].map(byte => measure.add(Uint8Array.of(byte)));
		expect(said.find(each => each !== undefined)).toBe(excess);
	},
);

test('the client accepts a list of ten thousand computers with every field', async () => {
	const record = (index: number) => ({
		sandbox_id: `sb_${index}`,
		...Object.fromEntries(
			Array.from({ length: 25 }, (_, at) => [`field_${at}`, 'a text of some length']),
		),
		metadata: { publicIp: '198.18.0.1', serverType: 'c2', location: 'fsn1', version: '1.4.2' },
		ports: [{ port: 8080, url: 'https://platform.example/p/sb/8080', share_token: 'tok' }],
	});
	const list = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => record(index)));
	const origin = await serveResponses((_, response) => response.end(list));
	const { computers } = await platformAt(origin).platform.listComputers(readOptions());
	expect(computers).toHaveLength(10_000);
});

test('the client refuses a list with more records than any fleet has, on a single page or on several pages', async () => {
	const page = (from: number, count: number, next?: string) =>
		JSON.stringify({
			items: Array.from({ length: count }, (_, index) => ({ id: `sb_${from + index}` })),
			next_cursor: next,
		});
	const origin = await serveResponses((request, response) => {
		const from = Number(new URL(request.url ?? '', 'http://here').searchParams.get('cursor') ?? 0);
		response.end(page(from, 9_000, `${from + 9_000}`));
	});
	const failure = await failureOf(platformAt(origin).platform.listComputers(readOptions()));
	expect(failure.message).toBe('the list: expected at most 20000 records');
	const one = await serveResponses((_, response) => response.end(page(0, 20_001)));
	expect((await failureOf(platformAt(one).platform.listComputers(readOptions()))).kind).toBe(
		'unreadable',
	);
	const most = await serveResponses((_, response) => response.end(page(0, 20_000)));
	const { computers } = await platformAt(most).platform.listComputers(readOptions());
	expect(computers).toHaveLength(20_000);
});

test('the client counts unreadable records without capturing a stack trace for each', () => {
	const items = computersPageFrom([...Array(5_000).fill({}), { id: 'sb_one' }]).items;
	expect(computerListFrom(items, 0)).toEqual({ computers: [{ id: 'sb_one' }], unreadable: 5_000 });
	const error = (() => {
		try {
			return computerListFrom(items.slice(0, 5_000), 0);
		} catch (reason) {
			return reason;
		}
	})();
	expect(error instanceof PlatformError && error.stack).toBe(
		'PlatformError: [0].sandbox_id: expected an id',
	);
	expect(new Error('after it').stack).toContain('\n    at ');
});

describe('a computer with more ports than are read', () => {
	const withPorts = (id: string, count: number) => ({
		id,
		ports: Array.from({ length: count }, (_, index) => ({ port: index + 1 })),
	});
	const listOf = (...records: readonly object[]) => computersPageFrom(records).items;

	test('keeps its row, with the first 100 ports and the number of the others', () => {
		const crowded = listOf(withPorts('sb_one', 130), withPorts('sb_two', 100));
		const { computers, unreadable } = computerListFrom(crowded, 0);
		expect(unreadable).toBeUndefined();
		const [one, two] = computers;
		expect(one?.ports).toHaveLength(100);
		expect(one?.ports?.at(-1)).toEqual({ port: 100, omittedAfter: 30 });
		expect(two?.ports?.at(-1)).toEqual({ port: 100 });
	});

	test('has one port left once the whole list has 20,000 ports', () => {
		const full = Array.from({ length: 200 }, (_, index) => withPorts(`sb_${index}`, 100));
		const late = [withPorts('sb_200', 3), withPorts('sb_201', 1), withPorts('sb_202', 0)];
		const { computers } = computerListFrom(listOf(...full, ...late), 0);
		expect(computers.slice(200).map(({ ports }) => ports)).toEqual([
			[{ port: 1, omittedAfter: 2 }],
			[{ port: 1 }],
			[],
		]);
	});

	test('is never taken for a computer whose ports are all known', () => {
		const [reading] = computerListFrom(listOf(withPorts('sb_one', 130)), 0).computers;
		expect(reading && allPortsOf(reading)).toBeUndefined();
		expect(reading && omittedPortCount(reading)).toBe(30);
	});
});

test('the client cancels an answer about one computer after 256 kB, and a sign-in after 64 kB', async () => {
	const record = await readBody(endless('x').body, { maxBytes: responseLimits.record }).catch(
		String,
	);
	expect(record).toContain('expected at most 256 kB');
	const { body, taken } = endless('x');
	await readBody(body, { maxBytes: responseLimits.token }).catch(String);
	expect(taken.bytes).toBeLessThan(4 * 65_536);
	const origin = await serveResponses((_, response) =>
		response.end(`{"name":"${'x'.repeat(300_000)}"}`),
	);
	const failure = await failureOf(platformAt(origin).platform.readStatus('sb_one', readOptions()));
	expect(failure.message).toBe('the answer: expected at most 256 kB');
});

test('the client cancels a response body that arrives in too many single bytes', async () => {
	let pieces = 0;
	const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
		pull(controller) {
			pieces += 1;
			controller.enqueue(Uint8Array.of(0x20));
		},
	});
	expect(await readBody(body).catch(String)).toContain('at most 20000 pieces');
	expect(pieces).toBeLessThan(20_010);
});

test('the client limits the total size of all pages of a list', async () => {
	const page = (next: number) =>
		JSON.stringify({
			items: [],
			next_cursor: `${next}`,
			notes: Array(12).fill('x'.repeat(1_000_000)),
		});
	let pages = 0;
	const origin = await serveResponses((_, response) => response.end(page(++pages)));
	const failure = await failureOf(platformAt(origin).platform.listComputers(readOptions()));
	expect(failure.message).toBe('the list: expected at most 28 MB');
	expect(pages).toBe(3);
});

function decodeUtf8(bytes: Uint8Array): string {
	const decoder = createUtf8Decoder();
	decoder.add(bytes);
	return withoutByteOrderMark(decoder.takeText());
}

test('the client decodes UTF-8 of any length to the same text as TextDecoder', () => {
	const long = ['aö京🚀'.repeat(30_000), 'a'.repeat(200_000), `${'é'.repeat(70_000)}z`, ''];
	for (const text of long) expect(decodeUtf8(encode(text))).toBe(text);
	expect(decodeUtf8(encode('\uFEFF[1]'))).toBe('[1]');
});

test.each([1, 1_000, 65_535, 65_537])(
	'the client decodes a response body that arrives in chunks of %d bytes',
	async size => {
		const text = 'aö京🚀'.repeat(size === 1 ? 1_000 : 30_000);
		const bytes = encode(text);
		let at = 0;
		const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
			pull(controller) {
				if (at >= bytes.length) return controller.close();
				controller.enqueue(bytes.slice(at, at + size));
				at += size;
			},
		});
		expect((await readBody(body)).text).toBe(text);
	},
);

test('the client replaces bytes that are not UTF-8, and refuses a response that is full of them', () => {
	const text = 'ö'.repeat(65_536);
	const bytes = encode(text);
	bytes[100] = 0xff;
	expect(decodeUtf8(bytes)).toBe(new TextDecoder().decode(bytes));
	expect(() => decodeUtf8(new Uint8Array(8 * 1_048_576).fill(0xff))).toThrow('expected UTF-8');
});
