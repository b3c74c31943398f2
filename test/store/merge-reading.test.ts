import { expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import { mergeReading } from '../../source/store/update-computer.ts';

const known = {
	id: 'sb_1',
	name: 'atlas',
	status: 'creating',
	stage: 'loading_image',
	stageProgress: 40,
	version: '1.4.2',
	startedAt: 100_000,
	cpu: 12,
};

type Told = Partial<Reading>;

test.each<[string, Told, Told]>([
	['a value takes the place of the earlier one', { cpu: 50 }, { cpu: 50 }],
	['what an answer does not tell stays', {}, {}],
	['null says that there is no value', { name: null }, { name: null }],
	['a start within seconds is the same start', { startedAt: 103_000 }, {}],
	['another start is a new one', { startedAt: 200_000 }, { startedAt: 200_000 }],
	[
		'a new stage ends the progress',
		{ stage: 'ready' },
		{ stage: 'ready', stageProgress: undefined },
	],
	[
		'a new status ends what belongs to it',
		{ status: 'active' },
		{
			status: 'active',
			stage: undefined,
			stageProgress: undefined,
			startedAt: undefined,
			cpu: undefined,
		},
	],
	[
		'another word for the same status ends nothing',
		{ status: 'provisioning' },
		{ status: 'provisioning' },
	],
])('in a merged reading, %s', (_, told, expected) => {
	const merged = mergeReading(known, { id: 'sb_1', ...told }, false);
	expect(merged).toEqual({ ...known, ...expected });
	if (Object.keys(expected).length === 0) expect(merged).toBe(known);
});

test.each<[string, Told, Told]>([
	['fills in what nobody told', { location: 'eu-north' }, { location: 'eu-north' }],
	['changes nothing that is known', { cpu: 50, name: 'vega' }, {}],
	['never tells a start', { startedAt: 200_000 }, {}],
	['tells nothing of another status', { status: 'error', error: 'disk full' }, {}],
])('an outdated answer %s', (_, told, expected) => {
	const merged = mergeReading(known, { id: 'sb_1', ...told }, true);
	expect(merged).toEqual({ ...known, ...expected });
});
