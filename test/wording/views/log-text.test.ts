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
	['atlas: stopping → error after 24 s', became('stopping', 'error')],
	['atlas: stopped for 24 s → starting', became('stopped', 'starting')],
	['atlas: active for 24 s → stopping', became('running', 'stopping')],
	['atlas: starting → stopping in 24 s', became('starting', 'stopping')],
	['atlas: stop requested', moved('stop', 'sent')],
	['atlas: stopped by you', moved('stop', 'settled')],
	['port 8080 of atlas: publish cancelled', moved('publish', 'cancelled')],
	['port 8080 of atlas: published by you', moved('publish', 'settled')],
	['port 8080 of atlas: publish failed', moved('publish', 'failed')],
])('the log describes a change as "%s"', (text, change) => {
	const what = changeSpans(change);
	expect(what.map(([part]) => part).join('')).toBe(text);
});

test('a change from a status that lasts says how long it did beside that status, and any other how long it took, on the screen and in speech', () => {
	const change = { ...became('active', 'error'), error: 'disk quota exceeded' };
	expect(
		changeSpans(change)
			.map(([part]) => part)
			.join(''),
	).toBe('atlas: active for 24 s → error: disk quota exceeded');
	expect(
		changeSpans({ ...became('creating', 'error'), error: 'disk quota exceeded' })
			.map(([part]) => part)
			.join(''),
	).toBe('atlas: creating → error after 24 s: disk quota exceeded');
	expect(spokenChange(change)).toBe(
		'atlas, active for 24 seconds, became error: disk quota exceeded',
	);
});

test('an operation is spoken in the words of the log', () => {
	expect(spokenChange(moved('publish', 'settled'))).toBe('port 8080 of atlas: published by you');
	expect(spokenChange(moved('publish', 'sent'))).toBe('port 8080 of atlas: publish requested');
});
