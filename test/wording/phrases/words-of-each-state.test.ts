import { describe, expect, test } from 'vitest';
import type { ReadName } from '../../../source/fleet/fact.ts';
import type { OperationStage } from '../../../source/fleet/operations/operation.ts';
import type { FailureKind } from '../../../source/foundation/failure.ts';
import type { WaitReason } from '../../../source/operations/waiting.ts';
import { createFailure } from '../../../source/platform/decoding/platform-error.ts';
import { outcomeWords } from '../../../source/wording/phrases/outcome-text.ts';
import { troubleWords } from '../../../source/wording/phrases/trouble-text.ts';
import { waitWords } from '../../../source/wording/phrases/waiting-text.ts';
import { spellOut, type Words } from '../../../source/wording/phrases/words.ts';
import { type CreditsState, creditsWords } from '../../../source/wording/views/credits-text.ts';
import { hour, now } from '../../arbitraries/values.ts';

const spec = { key: 'k', operation: 'stop', computer: 'sb_1', name: 'atlas' };

const stages = {
	counting: 'skipped',
	held: 'skipped',
	queued: 'skipped',
	sent: 'unknown',
	accepted: 'accepted',
	done: 'done',
	failed: 'failed',
	unknown: 'unknown',
	cancelled: 'skipped',
	skipped: 'skipped',
} as const satisfies Record<OperationStage, string>;

const waits: { [Type in WaitReason['type']]: Extract<WaitReason, { type: Type }> } = {
	grace: { type: 'grace', until: now + 4_000 },
	held: { type: 'held', leftMs: 4_000 },
	quitDialog: { type: 'quitDialog' },
	turn: { type: 'turn', until: now + 80_000 },
	previous: { type: 'previous' },
	start: { type: 'start' },
	unlock: { type: 'unlock' },
};

const credits: Record<CreditsState, Parameters<typeof creditsWords>[0]> = {
	unread: { credits: undefined, runway: null },
	unreported: { credits: { balance: null }, runway: null },
	unmeasured: { credits: { balance: 4.2 }, runway: null },
	unspent: { credits: { balance: 4.2 }, runway: { burnPerHour: 0, timeLeftMs: null } },
	enough: { credits: { balance: 4.2 }, runway: { burnPerHour: 0.1, timeLeftMs: 42 * hour } },
	low: {
		credits: { balance: 4.2 },
		runway: { burnPerHour: 0.6, timeLeftMs: 7 * hour, isLow: true },
	},
	tooFew: { credits: { balance: 0, canRun: false }, runway: null },
};

const failureKinds: Record<FailureKind, true> = {
	auth: true,
	denied: true,
	missing: true,
	limited: true,
	conflict: true,
	payment: true,
	invalid: true,
	server: true,
	offline: true,
	unreadable: true,
	cancelled: true,
};

const reads: Record<ReadName, true> = {
	list: true,
	status: true,
	detail: true,
	credits: true,
	subscription: true,
	release: true,
	models: true,
};

const kinds = Object.keys(failureKinds) as FailureKind[];
const readNames = Object.keys(reads) as ReadName[];

const subjects: Readonly<Record<string, readonly Omit<Words, 'json'>[]>> = {
	outcome: Object.keys(stages).map(stage =>
		outcomeWords({ ...spec, stage: stage as OperationStage }),
	),
	waiting: Object.values(waits).map(wait => waitWords(spec, wait, now)),
	'trouble with a read': readNames.map(read =>
		troubleWords({ read, failure: createFailure('server', 'internal error') }),
	),
	credits: Object.values(credits).map(creditsWords),
};

describe.each(Object.entries(subjects))('the words for %s', (_, words) => {
	test.each(['screen', 'line', 'speech'] as const)(
		'differ for each state and are never empty in the form for “%s”',
		form => {
			const texts = words.map(each => each[form]);
			expect(texts.every(text => text.trim() !== '')).toBe(true);
			expect(new Set(texts).size).toBe(texts.length);
		},
	);

	test('begin in speech with the line, with its units spelled out', () => {
		for (const { line, speech } of words) {
			expect(speech.replace('Escape', 'Esc')).toMatch(startOf(`${spellOut(line)}.`));
			expect(speech).toMatch(/[.]$/);
		}
	});
});

const startOf = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);

test('the line of an outcome names the computer and says what its row says', () => {
	for (const stage of Object.keys(stages) as OperationStage[]) {
		const { screen, line } = outcomeWords({ ...spec, stage });
		const what = screen.replace(', checking', '');
		expect(line).toBe(`atlas: ${what.slice(0, 1).toLowerCase()}${what.slice(1)}`);
	}
});

test('the line of a wait names the computer, and only the line says how a held countdown goes on', () => {
	for (const wait of Object.values(waits)) {
		const { screen, line } = waitWords(spec, wait, now);
		expect(line.replace(' atlas', '').replace(/(?<=on hold);.*/, '')).toBe(screen);
	}
});

test.each(Object.entries(stages))(
	'a command prints the stage “%s” as “%s” in JSON',
	(stage, json) => {
		expect(outcomeWords({ ...spec, stage: stage as OperationStage }).json).toBe(json);
	},
);

test('each kind of failure has its own label in the header and its own word in JSON', () => {
	for (const isOnlyThisRead of [true, false]) {
		const words = kinds.map(kind =>
			troubleWords({ read: 'list', failure: createFailure(kind, 'message'), isOnlyThisRead }),
		);
		expect(new Set(words.map(({ screen }) => screen)).size).toBe(kinds.length);
		expect(words.map(({ json }) => json)).toEqual(kinds);
	}
});

test('an unknown outcome says to try again only when crowsnest no longer checks it', () => {
	const outcome = { ...spec, stage: 'unknown', reason: 'no answer', advice: 'Try again.' } as const;
	expect(outcomeWords(outcome).speech).not.toContain('Try again');
	expect(outcomeWords(outcome).screen).toBe('Stop outcome unknown, checking');
	expect(outcomeWords({ ...outcome, isFinal: true })).toMatchObject({
		screen: 'Stop outcome unknown: no answer',
		speech: 'atlas: stop outcome unknown: no answer. Try again.',
	});
});
