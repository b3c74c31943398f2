import { expect, test } from 'vitest';
import type { Change, OperationMove, StatusChange } from '../../../source/fleet/change.ts';
import { spokenChange } from '../../../source/speech/words.ts';
import { changeSpans } from '../../../source/wording/views/log-text.ts';
import { now } from '../../arbitraries/values.ts';

const became = (from: string, to: string): StatusChange => ({
	type: 'statusChanged',
	at: now,
	notBefore: now,
	id: 'sb_1',
	name: 'atlas',
	from,
	to,
	lasted: 24_000,
});

const moved = (operation: 'stop' | 'publish', to: OperationMove['to']): OperationMove => ({
	type: 'operationMoved',
	at: now,
	wish: {
		key: 'k',
		operation,
		computer: 'sb_1',
		name: 'atlas',
		...(operation === 'publish' && { port: 8080 }),
	},
	to,
	took: 3000,
});

test.each<[string, Change]>([
	['atlas: starting → active in 24 s', became('starting', 'active')],
	['atlas: stopping → error in 24 s', became('stopping', 'error')],
	['atlas: stopped → starting after 24 s', became('stopped', 'starting')],
	['atlas: active → stopping after 24 s', became('running', 'stopping')],
	['atlas: starting → stopping after 24 s', became('starting', 'stopping')],
	['atlas: stop requested', moved('stop', 'sent')],
	['atlas: stopped by you', moved('stop', 'settled')],
	['port 8080 of atlas: publish cancelled', moved('publish', 'cancelled')],
	['port 8080 of atlas: published by you', moved('publish', 'settled')],
	['port 8080 of atlas: publish failed', moved('publish', 'failed')],
])('the log describes a change as "%s"', (text, change) => {
	const what = changeSpans(change);
	expect(what.map(([part]) => part).join('')).toBe(text);
});

test('a change to an error says its reason before its time, on the screen and in speech', () => {
	const change = { ...became('active', 'error'), error: 'disk quota exceeded' };
	expect(
		changeSpans(change)
			.map(([part]) => part)
			.join(''),
	).toBe('atlas: active → error: disk quota exceeded, after 24 s');
	expect(spokenChange(change)).toBe(
		'atlas became error: disk quota exceeded, after 24 seconds active',
	);
});

test('an operation is spoken in the words of the log', () => {
	expect(spokenChange(moved('publish', 'settled'))).toBe('port 8080 of atlas: published by you');
	expect(spokenChange(moved('publish', 'sent'))).toBe('port 8080 of atlas: publish requested');
});
