import { expect, test } from 'vitest';
import { stageSpans } from '../../source/views/stage-text.ts';
import { hour, now, theme } from './drawn.tsx';

const asleep = {
	computer: {
		id: 'sb_1',
		reading: { id: 'sb_1', status: 'stopped' },
		phase: 'stopped' as const,
		since: { at: now - hour, isLowerBound: false },
		stopReason: 'asleep' as const,
		listed: 'told' as const,
		isMissing: false,
	},
	isBehind: false,
};

const context = {
	now,
	latest: undefined,
	seenAt: () => now,
	waitingFor: () => undefined,
	changes: [],
	theme,
};

test.each([
	[36, 'asleep since 07:00'],
	[18, 'asleep since 07:00'],
	[17, 'asleep 07:00'],
])('in %i cells: %s', (width, text) => {
	expect(stageSpans(asleep, width, context)).toEqual([[text, 'faint']]);
});
