import { expect, test } from 'vitest';
import type { Change } from '../../../source/fleet/change.ts';
import type { Reading } from '../../../source/fleet/computers/computer.ts';
import { creationSteps, usualCreationMs } from '../../../source/wording/phrases/creation-text.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const creation = (seconds: number): Change => ({
	type: 'statusChanged',
	id: 'sb_1',
	at: now - 1000,
	notBefore: now - 2000,
	from: 'provisioning',
	to: 'active',
	lasted: seconds * 1000,
});

const computerAt = (reading: Omit<Reading, 'id'>) => ({
	id: 'sb_1',
	reading: { id: 'sb_1', ...reading },
	phase: 'creating' as const,
	since: { at: now - 16_000, isLowerBound: false },
	listed: 'with-status' as const,
	isMissing: false,
});

const steps = (reading: Omit<Reading, 'id'>, changes: readonly Change[] = [], width = 90) =>
	creationSteps(computerAt(reading), { changes, readAt: now, now, width, theme }).map(spans =>
		spans.map(([text]) => text).join(''),
	);

test('a creation shows its steps, and the time that is left from the usual time of earlier creations', () => {
	const changes = [creation(48), creation(51), creation(300)];
	expect(usualCreationMs(changes)).toBe(51_000);
	expect(steps({ stage: 'loading_image', stageProgress: 23 }, changes)).toEqual([
		' ✔ creating ─ ◐ loading image 23 % ─ ○ ready',
		expect.stringMatching(/^ ━+╸?─+ {2}about 35 s left, usually 51 s$/),
	]);
});

test('a finished step says how long it took, if its beginning and its end were seen', () => {
	const stageStarts = { creating: now - 16_000, loading_image: now - 12_000 };
	const reading = { id: 'sb_1', stage: 'loading_image', stageProgress: 23 };
	const look = { changes: [], readAt: now, now, width: 90, theme };
	const [line] = creationSteps({ ...computerAt(reading), stageStarts }, look);
	expect(line?.map(([text]) => text).join('')).toBe(
		' ✔ creating 4 s ─ ◐ loading image 23 % ─ ○ ready',
	);
});

test('without earlier creations, the time that is left is estimated from the progress, and only after its first tenth', () => {
	expect(steps({ stage: 'creating', stageProgress: 9 })[1]).not.toContain('left');
	expect(steps({ stage: 'loading_image', stageProgress: 50 })[1]).toContain('about 16 s left');
});

test('a creation that began before it was first seen is measured from its beginning', () => {
	const reading = { stage: 'loading_image', stageProgress: 50, createdAt: now - 60_000 };
	expect(steps(reading)[1]).toContain('about 1 min left');
});

test('a creation that takes longer than usual shows the usual time, and promises nothing', () => {
	expect(steps({ stage: 'loading_image', stageProgress: 50 }, [creation(10)])[1]).toMatch(
		/ {2}usually 10 s$/,
	);
});

test('an unknown stage is shown without other steps, and a narrow line keeps the current step', () => {
	expect(steps({ stage: 'warming_up' })).toEqual([' ◐ warming up']);
	expect(steps({ stage: 'docker_pulling', stageProgress: 50 }, [], 40)[0]).toBe(
		' ◐ docker pulling 50 %',
	);
	expect(steps({ stage: 'docker_pulling' }, [], 200)[0]).toMatch(
		/^ ✔ server creating ─ .* ─ ◐ docker pulling ─ ○ docker running .* ─ ○ services ready$/,
	);
});
