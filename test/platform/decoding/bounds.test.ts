import { describe, expect, test } from 'vitest';
import { allPortsOf, omittedPortCount } from '../../../source/fleet/computers/computer.ts';
import { checkJson, readText, responseLimits } from '../../../source/platform/decoding/answer.ts';
import { PlatformError } from '../../../source/platform/decoding/platform-error.ts';
import { serveResponses } from '../loopback.ts';
import { failureOf, platformAt, readOptions } from '../platform-at.ts';
import { computerListFrom } from './computer-list.ts';

// A response is bounded in bytes, values, fields, names and depth. All of them are counted before it is parsed.

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

test('the client stops reading an endless body at the size limit', async () => {
	const { body, taken } = endless('x');
	const error = await readText(body, responseLimits.fleet).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(PlatformError);
	expect(error).toMatchObject({ failure: { kind: 'unreadable', isOutcomeUnknown: true } });
	expect(String(error)).toContain('at most 14 MB');
	expect(taken.isCancelled).toBe(true);
	// The stream may have queued a few more chunks than were read.
	expect(taken.bytes).toBeLessThan(14 * 1_048_576 + 3 * 65_536 + 10);
});

const wide = (count: number) => Array.from({ length: count }, (_, at) => `"n${at}":0`).join();

test.each<[string, string, string | undefined]>([
	['as many values as allowed', `[${'0,'.repeat(399_998)}0]`, undefined],
	['one value too many', `[${'0,'.repeat(399_999)}0]`, 'at most 400000 values'],
	['as many records as allowed', `[${'{"a":0},'.repeat(199_999)}0]`, undefined],
	['too many records', `[${'{},'.repeat(200_000)}0]`, 'at most 400000 values'],
	['as many fields as allowed', `{${wide(200)}}`, undefined],
	['one field too many', `{${wide(201)}}`, 'at most 200 fields in a record'],
	['too many names', `[${wide(41_000).replaceAll(/"\w+":0/g, '{$&}')}]`, 'at most 20000 names'],
	['a name of the maximum length', `{"${'x'.repeat(1_000)}":1}`, undefined],
	['a name that is too long', `{"${'x'.repeat(1_001)}":1}`, 'at most 1000 bytes in a name'],
	['a text that is longer than any name', `{"a":"${'x'.repeat(5_000)}"}`, undefined],
	['an escaped quote in a text', `["${'x'.repeat(300)}\\"${'['.repeat(90)}"]`, undefined],
	['an escaped backslash at the end', `["\\\\",${'['.repeat(64)}`, 'at most 64 levels'],
	['strings that are not field names', `[${wide(41_000).replaceAll(':', ',')}]`, undefined],
	['one record after another', `[{${wide(150)}},{${wide(150)}}]`, undefined],
	['as many levels as allowed', '['.repeat(64), undefined],
	['one level too many', '['.repeat(65), 'at most 64 levels'],
	['brackets and commas in a text', `["${'[{,'.repeat(200_000)}"]`, undefined],
	['a byte order mark', `\uFEFF${'['.repeat(65)}`, 'at most 64 levels'],
	['a web page', `\n<script>${'['.repeat(65)}</script>`, undefined],
])('JSON with “%s” is refused exactly if it exceeds a limit', (_, text, excess) => {
	if (excess === undefined) expect(() => checkJson(encode(text))).not.toThrow();
	else expect(() => checkJson(encode(text))).toThrow(excess);
});

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

test('the client counts unreadable records, however many there are', async () => {
	const none = Array(5_000).fill({});
	expect(await computerListFrom([...none, { id: 'sb_one' }])).toEqual({
		computers: [{ id: 'sb_one' }],
		unreadable: 5_000,
	});
	await expect(computerListFrom(none)).rejects.toThrow('[0].sandbox_id: expected an id');
});

describe('a computer with more ports than are read', () => {
	const withPorts = (id: string, count: number) => ({
		id,
		ports: Array.from({ length: count }, (_, index) => ({ port: index + 1 })),
	});

	test('keeps its row, with the first 100 ports and the number of the others', async () => {
		const crowded = [withPorts('sb_one', 130), withPorts('sb_two', 100)];
		const { computers, unreadable } = await computerListFrom(crowded);
		expect(unreadable).toBeUndefined();
		const [one, two] = computers;
		expect(one?.ports).toHaveLength(100);
		expect(one?.ports?.at(-1)).toEqual({ port: 100, omittedAfter: 30 });
		expect(two?.ports?.at(-1)).toEqual({ port: 100 });
	});

	test('is never taken for a computer whose ports are all known', async () => {
		const [reading] = (await computerListFrom([withPorts('sb_one', 130)])).computers;
		expect(reading && allPortsOf(reading)).toBeUndefined();
		expect(reading && omittedPortCount(reading)).toBe(30);
	});
});

test('the client cancels an answer about one computer after 256 kB, and a sign-in after 64 kB', async () => {
	const record = await readText(endless('x').body, responseLimits.record).catch(String);
	expect(record).toContain('expected at most 256 kB');
	const { body, taken } = endless('x');
	await readText(body, responseLimits.token).catch(String);
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
	expect(await readText(body, responseLimits.fleet).catch(String)).toContain(
		'at most 20000 pieces',
	);
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
		expect((await readText(body, responseLimits.fleet)).text).toBe(text);
	},
);

test('the client replaces bytes that are not UTF-8, and refuses a response that is full of them', async () => {
	const bytes = encode('\uFEFF["ö"]'.padEnd(65_536));
	bytes[6] = 0xff;
	const read = (content: Uint8Array<ArrayBuffer>) =>
		readText(new Response(content).body, responseLimits.fleet);
	expect((await read(bytes)).text).toBe(new TextDecoder().decode(bytes));
	await expect(read(new Uint8Array(8 * 1_048_576).fill(0xff))).rejects.toThrow('expected UTF-8');
});
