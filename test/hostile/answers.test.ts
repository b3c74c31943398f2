import fc from 'fast-check';
import type { GenericSchema } from 'valibot';
import { expect, test } from 'vitest';
import { readingSchema } from '../../source/fleet/computers/computer.ts';
import { accountReadNames, accountReadRows } from '../../source/fleet/reads.ts';
import { failureSchema } from '../../source/foundation/failure.ts';
import * as v from '../../source/foundation/schema.ts';
import { validatorOf } from '../../source/foundation/schema.ts';
import { cleanText } from '../../source/platform/decoding/clean.ts';
import {
	accountRequests,
	computersPageFrom,
	createdReadingFrom,
	detailReadingFrom,
	paymentPageFrom,
	portFrom,
	readingFrom,
	statusReadingFrom,
} from '../../source/platform/decoding/decode.ts';
import { failureFrom } from '../../source/platform/decoding/decode-failure.ts';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { tokenFrom } from '../../source/platform/sign-in.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { runs } from '../runs.ts';

const now = Date.UTC(2026, 10, 21);

type Decoder = [name: string, decode: (body: unknown) => unknown, result?: GenericSchema];

/** What decodes each response, with the schema of what it returns. */
const decoders: readonly Decoder[] = [
	[
		'list',
		body => computersPageFrom(body).items.map(item => readingFrom(item, now)),
		v.listOf(readingSchema),
	],
	['cursor', body => computersPageFrom(body).cursor],
	['detail', body => detailReadingFrom(body, 'sb_one', now), readingSchema],
	['status', body => statusReadingFrom(body, 'sb_one', now), readingSchema],
	['created', body => createdReadingFrom(body, now), readingSchema],
	['port', portFrom],
	...accountReadNames.map((name): Decoder => {
		return [name, accountRequests[name].answerFrom, accountReadRows[name].answer];
	}),
	['payment', paymentPageFrom],
	['token', body => tokenFrom(body, now)],
	['failure', failureOf, failureSchema],
];

function failureOf(json: unknown) {
	return failureFrom({ status: 400, headers: new Headers(), json, text: '', now });
}

const names = `
	sandbox_id id sandboxId status stage stageProgress stageMessage error metadata machineInfo data sandboxes items
	next_cursor success name version ip cpu memory disk uptime started_at created_at ports port credits balance total
	subscription plan tier_key url checkout_url changelog changes models pricing access_token expires_in expires_at
	message code used __proto__ constructor toString`
	.trim()
	.split(/\s+/);

const hostileText = fc.oneof(
	fc.string({ unit: anyCharacter }),
	fc.constantFrom(
		'\x1b[2J\x1b[Hgone',
		'\x1b]0;title\x07name',
		'\x9b31mred',
		'safe\u202Egnp.exe',
		'a\u200Bb\u2066c\u2069',
		'line\nfeed\r\ttab',
		'\ud800 half',
		'z\u0301\u0301\u0301\u0301\u0301\u0301',
		'\x1b]52;c;ZXZpbA==\x1b\\x',
		'9'.repeat(500),
	),
);

const jsonBody = fc.letrec(tie => ({
	value: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		hostileText,
		fc.double(),
		fc.integer(),
		fc.boolean(),
		fc.constant(null),
		fc.array(tie('value'), { maxLength: 4 }),
		fc.dictionary(fc.oneof(fc.constantFrom(...names), hostileText), tie('value'), { maxKeys: 8 }),
	),
})).value;

// The powers of ten are longer than any uptime, and larger than any number that can be shown.
const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1e10, 1e13, 1e15, 1e16));

/** A record of a computer in which any field may be any number. */
const numericRecord = fc
	.dictionary(fc.constantFrom(...names), anyNumber, { maxKeys: 8 })
	.map(numbers => ({ ...numbers, sandbox_id: 'sb_one', status: 'active' }));

function stringsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([, inner]) => stringsIn(inner));
}

const uncleanCharacter = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

// A value that the schema refuses would make the snapshot and the recording of a fleet unreadable.
test.each(decoders)(
	'the decoder of a “%s” response makes clean values that its schema allows of any JSON, or refuses it with a PlatformError',
	(_, decode, schema) => {
		const validator = schema && validatorOf(schema);
		fc.assert(
			fc.property(fc.oneof(fc.jsonValue(), jsonBody, numericRecord), body => {
				try {
					const decoded = decode(body);
					expect(stringsIn(decoded).filter(text => uncleanCharacter.test(text))).toEqual([]);
					if (validator) expect(validator.isValid(decoded)).toBe(true);
				} catch (error) {
					if (!(error instanceof PlatformError)) throw error;
					expect(error.message).not.toMatch(uncleanCharacter);
					expect(error.failure.advice).not.toBe('');
				}
			}),
			runs(200),
		);
	},
);

test('cleaned text contains no control character and stays the same when cleaned again', () => {
	fc.assert(
		fc.property(hostileText, text => {
			const clean = cleanText(text);
			expect(clean).not.toMatch(uncleanCharacter);
			expect(cleanText(clean)).toBe(clean);
		}),
		runs(300),
	);
});

test('a very long error message of the platform is shortened', () => {
	const json = { error: `\x1b]${'0;'.repeat(100_000)}${'word '.repeat(100_000)}` };
	expect(JSON.stringify(failureOf(json)).length).toBeLessThanOrEqual(1_000);
});
